// What the server tells at any time: maintenance that is announced, and a ban. `ClientApp` listens.
import type { MaintenanceWindow } from "../wire/types";

export const notices = {
    maintenance: (_windows: readonly MaintenanceWindow[]): void => {},
    banned: (): void => {},
};
