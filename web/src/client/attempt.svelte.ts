// Something that is asked of the server: whether it is under way, and why it failed.
import { errorText } from "./error-text";

export class Attempt {
    busy = $state(false);
    trouble = $state("");

    /** Do it, instead of what the browser would do on `event`. */
    async run(what: () => Promise<unknown>, event?: Event): Promise<void> {
        event?.preventDefault();
        this.busy = true;
        this.trouble = "";
        try {
            await what();
        } catch (error) {
            this.trouble = errorText(error);
        } finally {
            this.busy = false;
        }
    }
}
