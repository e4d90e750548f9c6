#include "gpu/ptx/reader.h"

void finish_module(struct reader *reader)
{
    struct ptx_module *m = reader->module;
    m->accesses = arena_new(reader->arena, (m->access_count + 1) * sizeof *m->accesses);
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t k = 0; k < m->functions[f]->code_count; k++) {
            struct ptx_instruction *i = &m->functions[f]->code[k];
            if (i->access >= 0) m->accesses[i->access] = i;
            if (i->callee != NULL)
                for (int n = 0; n < 10 && i->callee->alias != NULL; n++)
                    i->callee = i->callee->alias;
            if (i->callee != NULL && !i->callee->defined && !i->callee->external)
                note_error(reader, i->text_line, i->place, false, "undefined function '%s'",
                           i->callee->plain_name);
        }
}
