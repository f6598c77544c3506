import UndercroftRelational
import UndercroftSQLite

/// A writer of documents that uses the functions of the table and SQL.
struct DocumentWriter {
  let trial: Trial

  func insert(_ documents: inout [Document], in db: Connection) throws {
    let document = Document.generate(trial.choices)
    trial.note("upsert \(document)")
    try trial.step("write of a document", &documents) { documents in
      Self.replace(document, in: &documents)
      return "\(document)"
    } library: {
      "\(try Document.table.upsertAndFetch(document, in: db))"
    }
  }

  func step(_ documents: inout [Document], in db: Connection) throws {
    let document = Document.generate(trial.choices)
    switch trial.choices.below(7) {
    case 0: try insert(&documents, in: db)
    case 1:
      trial.note("delete \(document.id)")
      documents.removeAll { $0.id == document.id }
      _ = try trial.run("delete of a document") {
        try Document.table.delete(key: document.id, in: db)
      }
    case 2:
      let query = SearchQueryGenerator(choices: trial.choices).generate(1)
      trial.note("delete what \(query.text) finds")
      try trial.step("delete by a search", &documents) { documents in
        let count = documents.count
        documents.removeAll { query.matches(DocumentWords($0), Set(SearchedColumn.allCases)) }
        return "\(count - documents.count)"
      } library: {
        "\(try Document.search(query.library).delete(in: db))"
      }
    case 3:
      let query = SearchQueryGenerator(choices: trial.choices).generate(1)
      trial.note("update the title of what \(query.text) finds: \(document.title)")
      try trial.step("update by a search", &documents) { documents in
        let places = documents.indices.filter {
          query.matches(DocumentWords(documents[$0]), Set(SearchedColumn.allCases))
        }
        for place in places { documents[place].title = document.title }
        return "\(places.count)"
      } library: {
        let rows = Document.search(query.library)
        return "\(try rows.update(in: db) { $0.title = document.title })"
      }
    case 4:
      trial.note("INSERT OR REPLACE \(document)")
      Self.replace(document, in: &documents)
      try trial.run("replacement by SQL") {
        try db.execute(
          """
          INSERT OR REPLACE INTO document (id, title, body, n)
          VALUES (\(document.id), \(document.title), \(document.body), \(document.n))
          """)
      }
    case 5:
      trial.note("move \(document.id) to 20 by SQL")
      if let place = documents.firstIndex(where: { $0.id == document.id }) {
        documents.removeAll { $0.id == 20 }
        documents[documents.firstIndex { $0.id == document.id } ?? place].id = 20
        try trial.run("another key by SQL") {
          try db.execute("DELETE FROM document WHERE id = 20")
          try db.execute("UPDATE document SET id = 20 WHERE id = \(document.id)")
        }
      }
    default:
      trial.note("write \(document), and undo it")
      struct Undone: Error {}
      do {
        try db.transaction { db in
          _ = try trial.run("write that is undone") {
            try Document.table.upsert(document, in: db)
          }
          throw Undone()
        }
      } catch is Undone {}
    }
  }

  private static func replace(_ document: Document, in documents: inout [Document]) {
    documents.removeAll { $0.id == document.id }
    documents.append(document)
    documents.sort { $0.id < $1.id }
  }
}
