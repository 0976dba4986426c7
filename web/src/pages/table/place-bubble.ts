// Where a bubble goes: close to its player's plate, and over nothing that is to be read or pressed.
export interface Box {
    left: number;
    top: number;
    width: number;
    height: number;
}
type Size = Pick<Box, "width" | "height">;
type Spot = Pick<Box, "left" | "top">;

const GAP = 4; // px between a bubble and its plate
const STEP = 16; // px between the spots that are tried further away

/** The free spot that is closest to the anchor; where all is taken, the one that covers the least. */
export function placeBubble(anchor: Box, size: Size, taken: readonly Box[], room: Box): Spot {
    let best: Spot = { left: room.left, top: room.top };
    let least = Infinity;
    for (const spot of spots(anchor, size, room)) {
        const bubble = { ...spot, ...size };
        const covered = taken.reduce((sum, box) => sum + overlap(bubble, box), 0);
        if (covered < least) [best, least] = [spot, covered];
        if (covered === 0) break;
    }
    return best;
}

/** The spots inside the room, the closest first: beside the anchor, then everywhere. */
function spots(anchor: Box, size: Size, room: Box): Spot[] {
    const right = anchor.left + anchor.width;
    const bottom = anchor.top + anchor.height;
    const middle = anchor.top + (anchor.height - size.height) / 2;
    const most = { left: room.left + room.width - size.width, top: room.top + room.height - size.height };
    const inside = ({ left, top }: Spot): Spot => ({
        left: Math.max(room.left, Math.min(most.left, left)),
        top: Math.max(room.top, Math.min(most.top, top)),
    });
    const beside = [
        { left: anchor.left, top: bottom + GAP },
        { left: right - size.width, top: bottom + GAP },
        { left: anchor.left, top: anchor.top - size.height - GAP },
        { left: right - size.width, top: anchor.top - size.height - GAP },
        { left: right + GAP, top: middle },
        { left: anchor.left - size.width - GAP, top: middle },
    ];
    const elsewhere: Spot[] = [];
    for (let top = room.top; top <= most.top; top += STEP)
        for (let left = room.left; left <= most.left; left += STEP) elsewhere.push({ left, top });
    const from = inside({ left: anchor.left + (anchor.width - size.width) / 2, top: middle });
    const distance = (spot: Spot): number => Math.hypot(spot.left - from.left, spot.top - from.top);
    elsewhere.sort((one, other) => distance(one) - distance(other));
    return [...beside.map(inside), ...elsewhere];
}

function overlap(one: Box, other: Box): number {
    const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
    const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
    return across > 0 && down > 0 ? across * down : 0;
}
