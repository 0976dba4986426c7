// Props that a test can change while the component stands.
export class Props<P extends object> {
    all: P;
    constructor(start: P) {
        const state = $state(start);
        this.all = state;
    }
}
