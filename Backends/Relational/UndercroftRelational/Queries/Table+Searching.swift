import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Returns a query of the records that match a full-text query, best matches
  /// first: `Book.search(FullTextQuery(matchingAll: typed)).limit(20)`.
  ///
  /// The result can be filtered by conditions and sorted in another order. The
  /// table must declare the searched columns with ``fullText(_:tokenizer:)``.
  ///
  /// - Parameters:
  ///   - query: The words to search for.
  ///   - weights: The weight of a match in each of the searched
  ///     columns, in declaration order. Missing weights are 1.
  public func search(_ query: FullTextQuery, weights: [Double] = []) -> TableQuery<Record> {
    search("\(query)", weights)
  }

  /// Returns a query of the records that match a query in the
  /// syntax of FTS5: `search(matching: "title : swift NOT objc")`.
  ///
  /// Errors are thrown when the result is read. The error for invalid syntax recommends
  /// ``FullTextQuery``, which accepts any text. A query of more than 100,000 bytes throws
  /// ``StorageError/Code/tooLarge``. A query with a NUL character throws
  /// ``StorageError/Code/misuse``.
  ///
  /// - Parameters:
  ///   - query: The query in the syntax of FTS5.
  ///   - weights: The weight of a match in each of the searched columns, in declaration order.
  ///     Missing weights are 1.
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
  /// Returns the records of a search, each with the part of a column's
  /// text that surrounds the matching words. (`snippet()` of FTS5)
  ///
  /// FTS5 omits the text from a NUL character to the next matching word.
  ///
  /// - Parameters:
  ///   - column: The searched property.
  ///   - marks: The strings to insert before and after each matching word.
  ///   - wordCount: The maximum number of words in the part, from 1 to 64.
  ///   - db: The connection to read from.
  /// - Throws: ``StorageError/Code/misuse`` if the query has no search, or if the column has no
  ///   full-text index.
  public func fetchSnippets(
    of column: any PartialKeyPath<Record> & Sendable, marks: (String, String) = ("[", "]"),
    wordCount: Int = 16, in db: Connection
  ) throws -> [SearchResult<Record>] {
    let count = Swift.min(Swift.max(wordCount, 1), 64)
    return try excerpts(of: column, in: db) { companion, columnIndex in
      "snippet(\(identifier: companion), \(columnIndex), \(marks.0), \(marks.1), '…', \(count))"
    }
  }

  /// Returns the records of a search, each with the whole text of a column,
  /// in which the matching words are marked. (`highlight()` of FTS5)
  ///
  /// FTS5 omits the text from a NUL character to the next matching word.
  ///
  /// - Parameters:
  ///   - column: The searched property.
  ///   - marks: The strings to insert before and after each matching word.
  ///   - db: The connection to read from.
  /// - Throws: ``StorageError/Code/misuse`` if the query has no search, or if the column has no
  ///   full-text index.
  public func fetchHighlights(
    of column: any PartialKeyPath<Record> & Sendable, marks: (String, String) = ("[", "]"),
    in db: Connection
  ) throws -> [SearchResult<Record>] {
    try excerpts(of: column, in: db) { companion, columnIndex in
      "highlight(\(identifier: companion), \(columnIndex), \(marks.0), \(marks.1))"
    }
  }

  private func excerpts(
    of column: any PartialKeyPath<Record> & Sendable, in db: Connection,
    _ excerpt: (_ companion: String, _ columnIndex: Int) -> SQL
  ) throws -> [SearchResult<Record>] {
    let name = table.codec.names.name(of: column)
    guard var search, let name,
      let columnIndex = table.definition.fullText?.columns.firstIndex(where: { $0.isExactly(name) })
    else {
      throw StorageError(
        .misuse,
        """
        cannot fetch highlights or snippets of \(table.codec.names.description(of: column)) of \
        \(quoted(table.name)): the query does not search the full text of this column
        """,
        suggestion: "declare the column with fullText(…), and call search(…) on the query first",
        backend: "sqlite")
    }
    search.excerpt = excerpt(search.companion.name, columnIndex)
    if limit != nil || offset > 0 { return try limitedExcerpts(search, in: db) }
    var query = self
    query.search = search
    let count = table.definition.columns.count
    let what: SQL = "\(allColumns), \(identifier: FullTextSearch.excerpt)"
    return try db.fetchAll(try ready(query.select(what), in: db)) { row in
      SearchResult(
        record: try table.codec.decode(row, 0), text: try row[count] as String? ?? "")
    }
  }

  /// Returns the results of a query with a limit or an offset: finds the rows first, and then
  /// computes only the excerpts of these rows.
  ///
  /// In a single statement, SQLite would compute the excerpt of every match before sorting the
  /// matches.
  private func limitedExcerpts(
    _ search: FullTextSearch, in db: Connection
  ) throws -> [SearchResult<Record>] {
    let count = table.definition.columns.count
    let what: SQL = "\(allColumns), \(identifier: FullTextSearch.row)"
    let found = try db.fetchAll(try ready(select(what), in: db)) { row in
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

/// A record that a full-text search found, with an excerpt of its text.
public struct SearchResult<Record> {
  /// The record that was found.
  public let record: Record
  /// The excerpt of the record's text, in which the matching words are marked.
  public let text: String
}

extension SearchResult: Sendable where Record: Sendable {}
extension SearchResult: Equatable where Record: Equatable {}
