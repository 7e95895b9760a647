// The document of mrc report: figures and panels as JSON, and a page that shows it.
#pragma once

#include "cmd/profile.h"
#include "engine/engine.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// How a panel is shown: a chart over time, a table, bars in the order of the rows, or a map of two
// keys, such as weekdays and hours.
enum class PanelShape { time, table, bars, heat };

// A panel, and the program whose rows it shows.
struct ShownPanel {
  std::string name, title, about = {};
  PanelShape shape = PanelShape::table;
  i64 step = 0;                        // seconds from one time to the next; 0: they vary
  std::vector<std::string> keys = {};  // names of the keys
  const Program *program = nullptr;
  size_t rows = 0;                                // the number of the program
  i64 least_groups = 1, most_groups = INT64_MAX;  // else the panel is left out
  bool repeats = false;                           // it is left out if each value occurs once
  bool is_own = false;                            // of --panel: it stands before the others
  std::vector<bool> adds = {};  // by column, of own panels: sums of several rows make sense
};

// A number of all records. `kind`: how the page shows it, such as bytes.
struct ReportFigure {
  std::string title, kind;
};

// The first program has one row: the figures, and if `has_times` the first and the last time. The
// others are those of the panels, and that of clients or of the profile, if there is one. For each
// client, the rows of its program have the number of sessions, or the first page of each session.
struct Document {
  std::string title, format = {}, zone;
  std::vector<std::string> inputs;
  i64 made = 0;  // when the newest input was changed, in seconds since 1970
  std::vector<ReportFigure> figures = {};
  size_t sessions = SIZE_MAX;  // the figure that the program of clients has
  size_t clients = SIZE_MAX;   // the number of this program
  bool has_times = false;
  std::vector<ShownPanel> panels = {};
  std::vector<ProfiledField> profile = {};
  size_t profile_rows = 0;  // the number of its program
  bool anonymizes = false;  // shows no addresses
  bool is_page = true;      // else only the JSON
};

// Makes an answer that writes the document. The programs outlive it.
std::shared_ptr<const SharedAnswer> make_document(Document document);

}  // namespace mrc
