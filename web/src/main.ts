// Opens the client: the language and who we are first, then the page the address names.
import { mount } from "svelte";
import App from "./pages/App.svelte";
import "./styles/base.css";
import { app } from "./client/app.svelte";
import { settings } from "./client/settings.svelte";
import { loadLanguage } from "./i18n/messages.svelte";

void app.open();
await loadLanguage(settings.choices.language);
mount(App, { target: document.body });
