/* Springs between bodies, of a stream of chance of their own: mechanisms without are the same as ever. */
#include "chance.h"
#include "sketch.h"

void sketch_add_springs(sketch *s, uint64_t seed)
{
    chance own = {~seed}, *c = &own;
    for (int k = 0; k < SKETCH_SPRINGS; k++) {
        sketch_spring *p = &s->spring[k];
        p->alive = chance_of(c, 0.12);
        for (int e = 0; e < 2; e++) {
            p->body[e] = chance_below(c, s->count + 1) - 1;
            for (int x = 0; x < 3; x++) {
                p->at[e][x] = chance_of(c, 0.7) ? chance_number(c, -0.5, 0.5) : 0;
            }
        }
        p->stiffness = chance_size(c, 1, 100);
        p->rest = chance_of(c, 0.7) ? chance_number(c, 0, 1) : 0;
        p->damping = chance_of(c, 0.4) ? chance_size(c, 0.01, 3) : 0;
    }
}
