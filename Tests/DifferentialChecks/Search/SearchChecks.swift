import UndercroftRelational
import UndercroftSQLite

/// Checks that compare the matches of a search with the words of the documents, and the order of
/// the matches with the order of FTS5.
struct SearchChecks {
  let documents: [Document]
  let trial: Trial

  func run(in db: Connection) throws {
    let choices = trial.choices
    let query = SearchQueryGenerator(choices: choices).generate()
    trial.note("search \(query.text)")
    let found = documents.filter {
      query.matches(DocumentWords($0), Set(SearchedColumn.allCases))
    }
    let rows = Document.search(query.library)
    try trial.check("documents of a search", found.map(\.id).sorted()) {
      try rows.fetchAll(in: db).map(\.id).sorted()
    }
    try trial.check("count of a search", found.count) { try rows.fetchCount(in: db) }
    let ranked = try trial.run("order of FTS5") {
      try db.fetchAll(
        """
        SELECT rowid FROM document_search WHERE document_search MATCH \(query.library)
        ORDER BY rank, rowid
        """
      ) { row in try row[0] as Int64 }
    }
    let best = ranked.compactMap { id in found.first { $0.id == id } }
    try trial.check("order of a search", best) { try rows.fetchAll(in: db) }
    switch choices.below(5) {
    case 0:
      let window = Window(limit: choices.below(5), offset: choices.below(3))
      trial.note("\(window)")
      try trial.check("limited search", window.of(best)) {
        try rows.limit(window.limit ?? 0, offset: window.offset).fetchAll(in: db)
      }
    case 1:
      let least = choices.below(4)
      trial.note("where n >= \(least), order n, id")
      let wanted = best.filter { $0.n >= least }.sorted { ($0.n, $0.id) < ($1.n, $1.id) }
      try trial.check("narrowed search", wanted) {
        try rows.where { $0.n >= least }.order { $0.n }.order { $0.id }.fetchAll(in: db)
      }
    case 2: try pages(rows, best, in: db)
    case 3: try join(rows, found, in: db)
    default: try ExcerptChecks(query: query, best: best, trial: trial).run(rows, in: db)
    }
  }

  /// Checks that the pages have the order of the search.
  private func pages(
    _ rows: TableQuery<Document>, _ best: [Document], in db: Connection
  ) throws {
    let size = trial.choices.number(1...4)
    trial.note("pages of \(size)")
    var found: [Document] = []
    var end: PageCursor?
    repeat {
      let page = try trial.run("page of a search") {
        try rows.fetchPage(of: size, after: end, in: db)
      }
      found += page.records
      end = page.hasMore ? page.end : nil
    } while end != nil && found.count <= best.count
    try trial.expect("pages of a search", found, best)
  }

  private func join(
    _ rows: TableQuery<Document>, _ found: [Document], in db: Connection
  ) throws {
    trial.note("join with itself by n")
    let expected = found.flatMap { one in
      documents.filter { $0.n == one.n }.map { "\(one.id) \($0.id)" }
    }
    try trial.check("join of a search", expected.sorted()) {
      try rows.join(Document.all) { $0.n == $1.n }.fetchAll(in: db)
        .map { "\($0.0.id) \($0.1.id)" }.sorted()
    }
  }
}
