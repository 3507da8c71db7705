/* Lists every code object of files made by emit_codes.py, one instruction a line, as `emit_codes.py --dis`
 * writes what the interpreter says of them:
 *
 *   eval_list FILE... >listing; cmp listing expected */
#include "code/list.h"
#include "codes_file.h"

static void text(pks_span span) {
  putchar(' ');
  if (span.data)
    fwrite(span.data, 1, span.size, stdout);
  else
    fputs("(none)", stdout);
}

static void line(const pks_code_line *l) {
  printf("%zu %s %u", l->offset, l->name, (unsigned)l->arg);
  switch (l->operand) {
    case PKS_OPERAND_NAME:
    case PKS_OPERAND_LOCAL:
    case PKS_OPERAND_OPERATOR: text(l->text); break;
    case PKS_OPERAND_LOCALS:
      text(l->text);
      text(l->text2);
      break;
    case PKS_OPERAND_CONST: printf(" %s", l->value ? "const" : "(none)"); break;
    case PKS_OPERAND_JUMP: printf(" to %zu", l->target); break;
    case PKS_OPERAND_NONE:
    case PKS_OPERAND_NUMBER:
    default: break;
  }
  putchar('\n');
}

static void list_file(const char *path) {
  file f;
  record r;
  pks_mem mem;
  pks_code_list list;
  pks_code_line l;
  int version = -1;
  codes_open(&f, path);
  for (size_t i = 0; i < pks_code_version_count(); i++)
    if (!strcmp(pks_code_version_name(i), f.version)) version = (int)i;
  if (version < 0) codes_die("unknown version", f.version);
  pks_base_mem_init(&mem, NULL, UINT64_MAX);
  memset(&list, 0, sizeof list);
  while (codes_next(&f, &r)) {
    if (pks_code_list_start(&list, &mem, r.args, r.argc, 0, (unsigned)version))
      codes_die("no list", path);
    while (pks_code_list_next(&list, &l)) line(&l);
  }
  pks_code_list_free(&list, &mem);
  free(f.values);
  free(f.data);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) list_file(argv[i]);
  return 0;
}
