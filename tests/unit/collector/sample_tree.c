/* Places of samples are found again, each stands once in the list of its node, also after the table has grown, and a
 * tree that is added to another one brings all. */
#include "sampling/sample_tree.h"

#include "harness/plain.h"
#include "record/record.h"

enum { NODES = 50, ADDRESSES = 400 };

static const char code[ADDRESSES];

static uint32_t region(HieraSampleTree *tree, uint32_t number)
{
    return hiera_sample_tree_child(tree, 0, &(HieraSampleKey){.call = HIERA_RECORD_CALLS + number});
}

static void fill(HieraSampleTree *tree)
{
    for (size_t i = 0; i < ADDRESSES; i++)
        for (uint32_t k = 0; k < NODES; k++)
            if (i % (k + 1) == 0)
                hiera_sample_tree_add(tree, region(tree, k), (HieraSampleAt){&code[i], 1}, 1 + k, 2);
}

static void check_lists(const HieraSampleTree *tree, uint64_t times)
{
    uint64_t all = 0, n = 0;
    for (uint32_t k = 0; k < NODES; k++) {
        uint32_t node = 1 + k, of_node = 0;
        for (uint32_t i = tree->nodes[node].places; i != 0; i = tree->places[i - 1].next) {
            const HieraSamplePlace *place = &tree->places[i - 1];
            EXPECT(node, place->node);
            EXPECT((1 + k) * times, place->count);
            EXPECT(2 * times, place->periods);
            all += place->count;
            of_node++;
        }
        EXPECT((ADDRESSES + k) / (k + 1), of_node);
        n += of_node;
    }
    EXPECT(n, tree->n_places);
    EXPECT(all, tree->count);
    EXPECT(0, tree->lost);
}

int main(void)
{
    HieraSampleTree tree = {0}, other = {0};
    fill(&tree);
    check_lists(&tree, 1);
    fill(&tree);
    check_lists(&tree, 2);
    fill(&other);
    hiera_sample_tree_merge(&tree, &other);
    check_lists(&tree, 3);
    EXPECT(0, other.count);
    /* Another object at the same address. */
    size_t n_places = tree.n_places;
    EXPECT(false, hiera_sample_tree_has(&tree, 1, (HieraSampleAt){&code[0], 2}));
    hiera_sample_tree_add(&tree, 1, (HieraSampleAt){&code[0], 2}, 1, 1);
    EXPECT(true, hiera_sample_tree_has(&tree, 1, (HieraSampleAt){&code[0], 2}));
    EXPECT(n_places + 1, tree.n_places);
    return n_failed > 0;
}
