// Notices of the server, which come at any time: announced maintenance, and a ban. `ClientApp` listens.
import type { MaintenanceWindow } from "../wire/types";

export const notices = {
    maintenance: (_windows: readonly MaintenanceWindow[]): void => {},
    banned: (): void => {},
};
