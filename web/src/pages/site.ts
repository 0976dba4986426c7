// The pages and sheets that the first page does not need, in one file: they are loaded together.
export { default as AccountSheet } from "./account/AccountSheet.svelte";
export { default as BotsPage } from "./bots/BotsPage.svelte";
export { default as EmailPage } from "./notifications/EmailPage.svelte";
export { default as LessonsPage } from "./lesson/LessonsPage.svelte";
export { default as NewTablePage } from "./new-table/NewTablePage.svelte";
export { default as PlayerPage } from "./ratings/PlayerPage.svelte";
export { default as RatingsPage } from "./ratings/RatingsPage.svelte";
export { default as RulesPage } from "./RulesPage.svelte";
export { default as SameDeviceSheet } from "./home/SameDeviceSheet.svelte";
export { default as TablesPage } from "./TablesPage.svelte";
export { default as TransferPage } from "./TransferPage.svelte";
