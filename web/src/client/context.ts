// The state that every page shares, passed down by Svelte's context.
import { getContext, setContext } from "svelte";
import { Announcer } from "./announcer.svelte";
import { ClientApp } from "./app.svelte";
import { MutedPlayers } from "./muted-players.svelte";
import { Router } from "./router.svelte";
import { SettingsStore } from "./settings.svelte";
import { SoundPlayer } from "./sound";
import { WindowWidth } from "./window-width.svelte";
import { YourGames } from "./your-games.svelte";

export class Client {
    readonly app = new ClientApp();
    readonly router = new Router();
    readonly settings = new SettingsStore();
    readonly sounds = new SoundPlayer(this.settings);
    readonly windowWidth = new WindowWidth();
    readonly announcer = new Announcer();
    readonly mutedPlayers = new MutedPlayers();
    readonly yourGames = new YourGames(this.app, this.router);
}

export const CLIENT = Symbol("client");

export const setClient = (client: Client): Client => setContext(CLIENT, client);
export const getClient = (): Client => getContext<Client>(CLIENT);
