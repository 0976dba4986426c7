// The offline games of this device that were uploaded, each with the id of its table on the server.
import { read, write } from "../../board/storage";
import { api } from "../../client/api";

const UPLOADED = "sevenhues.uploaded.";

/** Return the table of an uploaded game; null if this device has not uploaded it. */
export function uploadOf(offlineId: string): string | null {
    return read<string>(UPLOADED + offlineId);
}

/** Upload a finished game. After a lost answer it can be uploaded again: the server has it once. */
export async function upload(offlineId: string): Promise<string> {
    const { id } = await api.upload(await api.record(offlineId), offlineId);
    write(UPLOADED + offlineId, id);
    return id;
}
