// Opens the client: the language and who we are first, then the page the address names.
import { mount } from "svelte";
import App from "./app/App.svelte";
import "./app/base.css";
import { house } from "./app/house.svelte";
import { loadLanguage } from "./app/say.svelte";

void house.open();
await loadLanguage();
mount(App, { target: document.body });
