/* The tables beside the bytecode: line numbers and exception handlers.
 *
 * Formats: Objects/lnotab_notes.txt (3.10: co_linetable with pairs; 3.11 and later:
 * Objects/locations.md, Objects/exception_handling_notes.txt, InternalDocs/ from 3.13 on). */
#include "code/scan.h"

bool pks_code_lnotab_ok(const pks_code_view *v, bool words, uint64_t *end) {
  uint64_t sum = 0;
  for (size_t i = 0; i + 1 < v->lines.size; i += 2) sum += v->lines.data[i];
  *end = sum;
  if (v->lines.size & 1) return false;
  /* A long step is cut into 255s (254s later), so single ones may be odd: where they lead may not. */
  return !words || !(sum & 1);
}

/* 3.10: pairs of (bytes covered, line step); every byte is covered, and a pair that covers none only
 * stands where one step does not hold the distance in lines (assemble_line_range). An lnotab has pairs
 * (0, small) where a line starts at the first instruction, that is in every function whose body starts
 * below its first line; and only what is removed behind a return lets its steps reach the end. So code
 * up to 3.9 whose lnotab passes here has not been seen. */
bool pks_code_pairs_ok(const pks_code_view *v) {
  uint64_t sum = 0;
  unsigned all = 0;
  if (v->lines.size == 0 || (v->lines.size & 1)) return false;
  for (size_t i = 0; i < v->lines.size; i += 2) {
    unsigned step = v->lines.data[i], line = v->lines.data[i + 1];
    if (step == 0 && line != 127 && line != 129) return false;
    all |= step;
    sum += step;
  }
  return !(all & 1) && sum == v->size;
}

/* ---- 3.11 and later: locations ----------------------------------------------------------------- */

typedef struct location {
  int64_t line, end_line, column, end_column; /* columns -1: not given */
  bool none;
} location;

typedef struct reader {
  const uint8_t *data;
  size_t size, at;
  bool bad;
} reader;

static unsigned byte(reader *r) {
  if (r->at >= r->size) {
    r->bad = true;
    return 0;
  }
  unsigned value = r->data[r->at++];
  if (value & 128) r->bad = true;
  return value;
}

/* Six bits a byte, low ones first; more than 36 bits are never written. */
static int64_t number(reader *r) {
  uint64_t value = 0;
  unsigned shift = 0;
  for (;;) {
    unsigned b = byte(r);
    if (r->bad) return 0;
    value |= (uint64_t)(b & 63) << shift;
    if (!(b & 64)) return (int64_t)value;
    shift += 6;
    if (shift > 36) {
      r->bad = true;
      return 0;
    }
  }
}

static int64_t signed_number(reader *r) {
  int64_t value = number(r);
  return value & 1 ? -(value >> 1) : value >> 1;
}

/* One entry: how many units it covers, and where they are in the source; line goes on from entry to
 * entry. Codes as enum _PyCodeLocationInfoKind. */
static unsigned entry(reader *r, int64_t *line, location *out) {
  unsigned first = r->data[r->at++];
  if (!(first & 128)) r->bad = true;
  unsigned code = first >> 3 & 15;
  out->none = code == 15;
  out->column = out->end_column = -1;
  if (code == 14) {
    *line += signed_number(r);
    out->end_line = *line + number(r);
    out->column = number(r) - 1;
    out->end_column = number(r) - 1;
  } else if (code == 13) {
    *line += signed_number(r);
    out->end_line = *line;
  } else if (code >= 10 && code <= 12) {
    *line += code - 10;
    out->end_line = *line;
    out->column = byte(r);
    out->end_column = byte(r);
  } else if (code < 10) {
    unsigned low = byte(r);
    out->end_line = *line;
    out->column = code << 3 | low >> 4;
    out->end_column = out->column + (low & 15);
  } else {
    out->end_line = *line;
  }
  out->line = *line;
  return (first & 7) + 1;
}

static bool same_location(const location *a, const location *b) {
  if (a->none || b->none) return a->none && b->none;
  return a->line == b->line && a->end_line == b->end_line && a->column == b->column &&
         a->end_column == b->end_column;
}

/* Next unit after `unit` where an instruction starts, or units. */
static size_t next_start(const uint64_t *starts, size_t unit, size_t units) {
  for (unit++; unit < units; unit = (unit | 63) + 1) {
    uint64_t word = starts[unit >> 6] >> (unit & 63);
    if (!word) continue;
    unit += (unsigned)__builtin_ctzll(word);
    return unit < units ? unit : units;
  }
  return units;
}

bool pks_code_lines_ok(const pks_code_view *v, const pks_code_table *t, const pks_code_scan *scan) {
  uint64_t end;
  if (!v->has_lines) return true;
  if (t->minor <= 9 || t->pypy) return pks_code_lnotab_ok(v, t->words, &end);
  if (t->minor == 10) return pks_code_pairs_ok(v);

  reader r = {v->lines.data, v->lines.size, 0, false};
  location places[2] = {{0}}, *now = &places[0], *last = &places[1];
  size_t unit = 0, units = v->size / 2, stop = 0;
  unsigned before = 0; /* units of the entry before; 8: it may go on in the next */
  int64_t line = 0;
  while (r.at < r.size) {
    unsigned covered = entry(&r, &line, now);
    if (r.bad || covered > units - unit) return false;
    if (t->minor == 11) {
      /* write_location_info_entry is called once for each instruction, in chunks of eight units. */
      if (unit == stop) {
        stop = next_start(scan->starts, unit, units);
        if (!pks_code_bit(scan->starts, unit)) return false;
      }
      if (covered != (stop - unit > 8 ? 8 : stop - unit)) return false;
    } else {
      if (before != 8 && !pks_code_bit(scan->starts, unit)) return false;
      /* From 3.12 on neighbours at one place are written as one (assemble_location_info). Without
       * columns (-X no_debug_ranges) they are told apart before and look alike after. */
      if (before && before != 8 && same_location(now, last) && (now->none || now->column >= 0))
        return false;
    }
    unit += covered;
    before = covered;
    location *other = last;
    last = now;
    now = other;
  }
  return unit == units;
}

/* ---- 3.11 and later: exception table ------------------------------------------------------------------- */

/* Six bits a byte, high ones first; bit 7 marks the first byte of an entry. */
static bool table_number(pks_span table, size_t *at, bool first, uint64_t *out) {
  uint64_t value = 0;
  for (unsigned n = 0; n < 6; n++) {
    if (*at >= table.size) return false;
    unsigned b = table.data[(*at)++];
    if (((b & 128) != 0) != (first && n == 0)) return false;
    value = value << 6 | (b & 63);
    if (!(b & 64)) {
      *out = value;
      return true;
    }
  }
  return false;
}

bool pks_code_region_next(pks_span table, size_t *at, pks_code_region *out) {
  uint64_t start, size, target, depth;
  if (*at >= table.size) return false;
  if (!table_number(table, at, true, &start) || !table_number(table, at, false, &size) ||
      !table_number(table, at, false, &target) || !table_number(table, at, false, &depth)) {
    *at = SIZE_MAX;
    return false;
  }
  out->start = start * 2;
  out->end = (start + size) * 2;
  out->target = target * 2;
  out->depth = depth >> 1;
  out->lasti = depth & 1;
  return true;
}

bool pks_code_exceptions_ok(const pks_code_view *v, const pks_code_scan *scan) {
  if (!v->has_exceptions) return true;
  pks_code_region region;
  size_t at = 0;
  uint64_t last = 0;
  while (pks_code_region_next(v->exceptions, &at, &region)) {
    if (region.start < last || region.end <= region.start || region.end > v->size ||
        region.target >= v->size)
      return false;
    if (!pks_code_bit(scan->starts, (size_t)region.start / 2) ||
        !pks_code_bit(scan->starts, (size_t)region.target / 2) ||
        (region.end < v->size && !pks_code_bit(scan->starts, (size_t)region.end / 2)))
      return false;
    if (v->stacksize >= 0 && region.depth > (uint64_t)v->stacksize) return false;
    last = region.end;
  }
  return at != SIZE_MAX;
}
