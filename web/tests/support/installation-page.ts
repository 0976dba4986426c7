// Gives the browser tests the installation of offline play as `window.installation`, on any page of a server.
import { Installation } from "../../src/offline/installation.svelte";

Object.assign(window, { installation: new Installation() });
