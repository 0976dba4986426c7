// Open the client: load the language and the user, then show the page of the address.
import { mount } from "svelte";
import { Client } from "./client/context";
import { loadLanguage } from "./i18n/messages.svelte";
import App from "./pages/App.svelte";
import "./styles/base.css";

const client = new Client();
void client.app.open();
await loadLanguage(client.settings.choices.language);
mount(App, { target: document.body, props: { client } });
