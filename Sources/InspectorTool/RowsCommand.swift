import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

/// A command that shows rows of a table, or lists the tables.
struct RowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows",
    abstract: "Shows rows of a table. Without a name, lists the tables.")

  @OptionGroup var target: Target
  @Argument(help: "The name of the table.") var table: String?
  @Option(help: "The kind of the store, if several have tables.") var kind: String?
  @Option(help: "The number of rows to skip.") var offset = 0
  @Option(help: "The maximum number of rows to show.") var limit = 20
  @Option(help: "text or json.") var format: OutputFormat = .text
  @Flag(help: "Show rows of a secret store.") var reveal = false

  func validate() throws {
    if offset < 0 { throw ValidationError("--offset is \(offset). Pass a number of at least 0.") }
    if limit < 0 { throw ValidationError("--limit is \(limit). Pass a number of at least 0.") }
  }

  func run() throws {
    try Output.run {
      let stores = try target.stores(of: kind).filter { $0.exists || $0.kind == nil }
      let (found, problems) = try Problem.gather(from: stores) { store -> OpenedTables? in
        let opened = try store.open()
        guard let tables = try opened.tables() else { return nil }
        return OpenedTables(store: opened, kind: store.kind, tables: tables)
      }
      let withTables = found.compactMap { $0 }
      if withTables.isEmpty, !problems.contains(where: \.isFailure) {
        let object = table.map { "the table \(quoted($0))" } ?? "the tables"
        throw StorageError(
          .unavailable,
          """
          cannot show \(object): no readable store\(selected) at \(quoted(target.path)) is a \
          database with tables
          """,
          suggestion: """
            run "undercroft ls" with this path to list the stores, or "undercroft keys" to list \
            the names of the values
            """)
      }
      if let table { try show(table, in: withTables) } else { try list(withTables) }
      return problems
    }
  }

  /// The part of a message that names the kind of the option `--kind`, or an empty string.
  private var selected: String { kind.map { " of the kind \(quoted($0))" } ?? "" }

  private struct OpenedTables {
    let store: OpenedStore
    let kind: String?
    let tables: [InspectedTable]
  }

  // MARK: Tables

  private struct TableRow: Encodable {
    let kind: String?
    let table: String
    let columns: [String]
    let rows: Int?

    enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case table = "table"
      case columns = "columns"
      case rows = "rows"
    }
  }

  private func list(_ stores: [OpenedTables]) throws {
    let rows = stores.flatMap { store in
      store.tables.map {
        TableRow(kind: store.kind, table: $0.name, columns: $0.columns, rows: $0.rowCount)
      }
    }
    switch format {
    case .json: try Output.json(rows)
    case .text:
      try Output.table(
        rows.map { row in
          [
            row.kind, row.table, row.rows.map { "\($0)" } ?? "-",
            row.columns.joined(separator: ", "),
          ].compactMap { $0 }.map { ValueText.safe($0) }
        })
    }
  }

  // MARK: Rows

  private func show(_ table: String, in stores: [OpenedTables]) throws {
    let matching = stores.filter { store in
      store.tables.contains { $0.name.lowercased() == table.lowercased() }
    }
    guard let store = matching.first else {
      let known = stores.flatMap(\.tables).map(\.name).joined(separator: ", ")
      throw StorageError(
        .invalidKey,
        """
        cannot show the table \(quoted(table)): no readable store\(selected) at \
        \(quoted(target.path)) has a table with this name
        """,
        suggestion: known.isEmpty
          ? "run \"undercroft ls\" with this path to list the stores and the errors of reading them"
          : "choose one of these tables: \(known)")
    }
    guard matching.count == 1 else {
      let kinds = matching.compactMap(\.kind).joined(separator: ", ")
      throw StorageError(
        .unavailable,
        """
        cannot show the table \(quoted(table)): each of the kinds \(kinds) has a table with \
        this name
        """,
        suggestion: "select one of these kinds with --kind")
    }
    guard !store.store.isConfidential || reveal else {
      let owner = store.kind.map { " of the kind \(quoted($0))" } ?? ""
      throw StorageError(
        .locked,
        """
        cannot show the table \(quoted(table)): the table belongs to the confidential \
        store\(owner) at \(quoted(target.path))
        """,
        suggestion: "repeat the command with --reveal to show the rows of the table")
    }
    let rows = try store.store.rows(of: table, offset: offset, limit: limit)
    switch format {
    case .json: try Output.json(RowsAnswer(rows))
    case .text:
      try Output.table([rows.columns.map { ValueText.safe($0) }] + rows.rows.map(Self.cells))
    }
  }

  private static func cells(_ row: [InspectedValue]) -> [String] {
    row.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): ValueText.safe(text)
      case .bytes(let bytes): ValueText.brief(bytes)
      }
    }
  }
}

/// The rows of a table as JSON.
///
/// Bytes are objects with a base64 string, and numbers that JSON cannot represent, such as
/// infinity, are objects with a string.
private struct RowsAnswer: Encodable {
  let columns: [String]
  let rows: [[Value]]

  enum CodingKeys: String, CodingKey {
    case columns = "columns"
    case rows = "rows"
  }

  init(_ rows: InspectedRows) {
    columns = rows.columns
    self.rows = rows.rows.map { $0.map(Value.init) }
  }

  struct Value: Encodable {
    let value: InspectedValue

    init(_ value: InspectedValue) { self.value = value }

    private enum CodingKeys: String, CodingKey {
      case base64 = "base64"
      case number = "number"
    }

    func encode(to encoder: any Encoder) throws {
      if case .bytes(let bytes) = value {
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        return try keyed.encode(bytes.base64EncodedString(), forKey: .base64)
      }
      if case .real(let number) = value, !number.isFinite {
        // JSON has no infinities and no NaN.
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        return try keyed.encode("\(number)", forKey: .number)
      }
      var single = encoder.singleValueContainer()
      switch value {
      case .integer(let number): try single.encode(number)
      case .real(let number): try single.encode(number)
      case .text(let text): try single.encode(text)
      case .null, .bytes: try single.encodeNil()
      }
    }
  }
}
