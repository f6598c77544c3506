import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// The records whose words match, the best first: `Book.table.search(FullTextQuery(matchingAll: typed)).limit(20)`.
  ///
  /// They may be narrowed by conditions, and put in another order. The table must declare what is searched with
  /// ``fullText(_:tokenizer:)``.
  ///
  /// - Parameter weights: how much a match in each of the searched columns counts, in the order of their declaration; 1 where none is given.
  public func search(_ query: FullTextQuery, weights: [Double] = []) -> TableQuery<Record> {
    search("\(query)", weights)
  }

  /// The records that match a query in the language of FTS5, whose errors come with the cure: `search(matching: "title : swift NOT objc")`.
  ///
  /// A query of more than 100,000 bytes fails with ``StorageError/Code/tooLarge``, one with a NUL character with
  /// ``StorageError/Code/misuse``.
  public func search(matching query: String, weights: [Double] = []) -> TableQuery<Record> {
    do throws(StorageError) {
      return search("\(try FullTextQuery.checked(query))", weights)
    } catch {
      return search(SQL(failing: error), weights)
    }
  }

  private func search(_ query: SQL, _ weights: [Double]) -> TableQuery<Record> {
    all.with { $0.search = FullTextSearch(query, of: definition, weights: weights) }
  }
}

extension TableQuery {
  /// Returns the records with the part of a column's text around the words that were found, for which a `search` asked.
  ///
  /// FTS5 leaves out what follows a NUL character, up to the next word that was found.
  ///
  /// - Parameters:
  ///   - marks: What stands before and after each word that was found.
  ///   - wordCount: How many words the part has at most, from 1 to 64. (`snippet()` of FTS5)
  public func fetchSnippets(
    of column: any PartialKeyPath<Record> & Sendable, marks: (String, String) = ("[", "]"),
    wordCount: Int = 16, in db: borrowing Connection
  ) throws -> [SearchResult<Record>] {
    let count = Swift.min(Swift.max(wordCount, 1), 64)
    return try excerpts(of: column, in: db) { companion, place in
      "snippet(\(identifier: companion), \(place), \(marks.0), \(marks.1), '…', \(count))"
    }
  }

  /// Returns the records with the whole text of a column, in which the words that were found are marked. (`highlight()` of FTS5)
  ///
  /// FTS5 leaves out what follows a NUL character, up to the next word that was found.
  ///
  /// - Parameter marks: What stands before and after each word that was found.
  public func fetchHighlights(
    of column: any PartialKeyPath<Record> & Sendable, marks: (String, String) = ("[", "]"),
    in db: borrowing Connection
  ) throws -> [SearchResult<Record>] {
    try excerpts(of: column, in: db) { companion, place in
      "highlight(\(identifier: companion), \(place), \(marks.0), \(marks.1))"
    }
  }

  private func excerpts(
    of column: any PartialKeyPath<Record> & Sendable, in db: borrowing Connection,
    _ excerpt: (_ companion: String, _ place: Int) -> SQL
  ) throws -> [SearchResult<Record>] {
    let name = table.codec.names.name(of: column)
    guard var search, let name,
      let place = table.definition.fullText?.columns.firstIndex(where: { $0.isExactly(name) })
    else {
      throw StorageError(
        .misuse,
        """
        cannot show what was found in \(table.codec.names.description(of: column)) of \
        \(quoted(table.name)): it is not searched
        """,
        cure: "declare it with fullText(…), and call search(…) first", backend: "sqlite")
    }
    search.excerpt = excerpt(search.companion.name, place)
    if limit != nil || offset > 0 { return try limitedExcerpts(search, in: db) }
    var query = self
    query.search = search
    let count = table.definition.columns.count
    let what: SQL = "\(allColumns), \(identifier: FullTextSearch.excerpt)"
    return try db.query(try ready(query.select(what), in: db)) { row in
      SearchResult(
        record: try table.codec.decode(row, 0), text: try row[count] as String? ?? "")
    }
  }

  /// Finds the rows first, and then computes the excerpts of these alone.
  ///
  /// In one statement SQLite would compute the excerpt of every match before it sorts them.
  private func limitedExcerpts(
    _ search: FullTextSearch, in db: borrowing Connection
  ) throws -> [SearchResult<Record>] {
    let count = table.definition.columns.count
    let what: SQL = "\(allColumns), \(identifier: FullTextSearch.row)"
    let found = try db.query(try ready(select(what), in: db)) { row in
      (record: try table.codec.decode(row, 0), row: try row[count] as Int64)
    }
    if found.isEmpty { return [] }
    var texts: [Int64: String] = [:]
    try db.forEach(search.excerpts(of: found.map(\.row))) { row in
      texts[try row[0]] = try row[1] as String? ?? ""
    }
    return found.map { SearchResult(record: $0.record, text: texts[$0.row] ?? "") }
  }
}

/// A record that was found by its words, and what is shown of its text.
public struct SearchResult<Record> {
  /// The record.
  public let record: Record
  /// A text of it, in which the words that were found are marked.
  public let text: String
}

extension SearchResult: Sendable where Record: Sendable {}
extension SearchResult: Equatable where Record: Equatable {}
