// Where a bubble goes: close to its player's plate, and over nothing that is to be read or pressed.
export interface Box {
    left: number;
    top: number;
    width: number;
    height: number;
}
type Size = Pick<Box, "width" | "height">;
type Spot = Pick<Box, "left" | "top">;

/** The room for a bubble, and its obstacles: it never covers prompts, buttons and other bubbles, and rather no plates. */
export interface Surroundings {
    room: Box;
    kept: readonly Box[];
    plates: readonly Box[];
}

const GAP = 4; // px between a bubble and its plate
const STEP = 16; // px between the spots that are tried elsewhere
// The cost of a px² that is covered, and of a px of distance from the plate.
const KEPT_COST = 1000;
const PLATE_COST = 1;
const OWN_PLATE_COST = 0.3;
const DISTANCE_COST = 20;
const ELSEWHERE_COST = 6000; // of a spot that is not at the plate

/** The best spot for a bubble of a size whose player's plate is the anchor. */
export function placeBubble(
    anchor: Box,
    { width, height }: Size,
    { room, kept, plates }: Surroundings,
): Spot {
    let best: Spot = { left: room.left, top: room.top };
    let least = Infinity;
    const weigh = (spots: readonly Spot[], more: number): void => {
        for (const spot of spots) {
            const bubble = { ...spot, width, height };
            let cost = more + DISTANCE_COST * distance(bubble, anchor);
            if (cost >= least) continue;
            cost += OWN_PLATE_COST * overlap(bubble, anchor) + PLATE_COST * covered(bubble, plates);
            cost += KEPT_COST * covered(bubble, kept);
            if (cost < least) [best, least] = [spot, cost];
        }
    };
    weigh(spotsAt(anchor, { width, height }, room), 0);
    if (least > ELSEWHERE_COST) weigh(spotsIn(room, { width, height }), ELSEWHERE_COST);
    return best;
}

/** The spots beside and over a plate that are inside the room. */
function spotsAt(plate: Box, size: Size, room: Box): Spot[] {
    const right = plate.left + plate.width - size.width;
    const bottom = plate.top + plate.height - size.height;
    const middle = (plate.top + bottom) / 2;
    const most = { left: room.left + room.width - size.width, top: room.top + room.height - size.height };
    const beside = [
        { left: plate.left, top: plate.top + plate.height + GAP },
        { left: right, top: plate.top + plate.height + GAP },
        { left: plate.left, top: plate.top - size.height - GAP },
        { left: right, top: plate.top - size.height - GAP },
        { left: plate.left + plate.width + GAP, top: middle },
        { left: plate.left - size.width - GAP, top: middle },
    ];
    const over = [bottom, middle, plate.top].flatMap((top) => [
        { left: right, top },
        { left: plate.left, top },
    ]);
    const inside = ({ left, top }: Spot): Spot => ({
        left: Math.max(room.left, Math.min(most.left, left)),
        top: Math.max(room.top, Math.min(most.top, top)),
    });
    const fits = ({ left, top }: Spot): boolean =>
        left >= room.left && left <= most.left && top >= room.top && top <= most.top;
    return [...beside.filter(fits), ...over.map(inside)];
}

function spotsIn(room: Box, size: Size): Spot[] {
    const spots: Spot[] = [];
    for (let top = room.top; top <= room.top + room.height - size.height; top += STEP)
        for (let left = room.left; left <= room.left + room.width - size.width; left += STEP)
            spots.push({ left, top });
    return spots;
}

/** The px between two boxes. */
function distance(one: Box, other: Box): number {
    const across = Math.max(other.left - one.left - one.width, one.left - other.left - other.width, 0);
    const down = Math.max(other.top - one.top - one.height, one.top - other.top - other.height, 0);
    return Math.hypot(across, down);
}

function covered(box: Box, others: readonly Box[]): number {
    return others.reduce((sum, other) => sum + overlap(box, other), 0);
}

function overlap(one: Box, other: Box): number {
    const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
    const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
    return across > 0 && down > 0 ? across * down : 0;
}
