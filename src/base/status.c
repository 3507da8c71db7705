#include <picklesight.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *pks_version(void) {
  return VERSION_TEXT(PKS_VERSION_MAJOR, PKS_VERSION_MINOR, PKS_VERSION_PATCH);
}

const char *pks_status_name(pks_status status) {
  switch ((int)status) {
#define X(value, name, text) \
  case value: return #name;
    PKS_STATUS_MAP(X)
#undef X
    default: return "?";
  }
}

const char *pks_status_text(pks_status status) {
  switch ((int)status) {
#define X(value, name, text) \
  case value: return text;
    PKS_STATUS_MAP(X)
#undef X
    default: return "not a status";
  }
}

pks_status_class pks_status_classify(pks_status status) {
  int value = (int)status;
  if (value < 10) return PKS_CLASS_PROGRESS;
  if (value < 40) return PKS_CLASS_MALFORMED;
  if (value < 60) return PKS_CLASS_LIMIT;
  if (value < 80) return PKS_CLASS_UNSUPPORTED;
  return PKS_CLASS_SYSTEM;
}
