// A class with effects, made outside of a component.
export function withEffects<T>(make: () => T): { value: T; destroy: () => void } {
    let value!: T;
    const destroy = $effect.root(() => {
        value = make();
    });
    return { value, destroy };
}
