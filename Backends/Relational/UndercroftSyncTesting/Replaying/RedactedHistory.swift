import UndercroftFoundation

/// A redacted export of a device, which contains the structure of its queue and conflicts.
///
/// The lines come from `SyncEngine.exportHistory`. They contain no values, so that users can attach
/// them to a report.
public struct RedactedHistory: Sendable {
  /// A table of the device.
  struct Table: Sendable, Decodable {
    let table: String
    let identity: String
    let columns: [String: String]

    private enum CodingKeys: String, CodingKey {
      case table = "table"
      case identity = "identity"
      case columns = "columns"
    }
  }

  /// The type of a value, with its length in bytes and its fingerprint where the type has them.
  struct Value: Sendable, Decodable {
    let type: String
    let bytes: Int?
    let print: String?

    private enum CodingKeys: String, CodingKey {
      case type = "type"
      case bytes = "bytes"
      case print = "print"
    }
  }

  /// An operation of the queue.
  struct Operation: Sendable, Decodable {
    let number: Int64
    let state: String
    let table: String
    let kind: String?
    let row: String?
    let rows: [String]?
    let set: [String: Value]?
    let inc: [String]?
    let base: Int64?
    let batch: Int64?

    private enum CodingKeys: String, CodingKey {
      case number = "number"
      case state = "state"
      case table = "table"
      case kind = "kind"
      case row = "row"
      case rows = "rows"
      case set = "set"
      case inc = "inc"
      case base = "base"
      case batch = "batch"
    }
  }

  private struct Line: Decodable {
    let line: String
    let format: Int?
    let operations: Int?
    let conflicts: Int?

    private enum CodingKeys: String, CodingKey {
      case line = "line"
      case format = "format"
      case operations = "operations"
      case conflicts = "conflicts"
    }
  }

  private(set) var tables: [Table] = []
  private(set) var operations: [Operation] = []
  /// The number of conflicts.
  public private(set) var conflictCount = 0

  /// The number of operations in the queue.
  public var operationCount: Int { operations.count }

  /// Reads an export.
  ///
  /// - Parameter lines: the lines without their line feeds.
  /// - Throws: ``HistoryError`` if a line is not part of an export, or if the end is missing.
  public init(_ lines: some Sequence<String>) throws {
    var isComplete = false
    var isStarted = false
    for (index, text) in lines.enumerated() {
      let data = Data(text.utf8)
      do {
        let line = try JSONDecoder().decode(Line.self, from: data)
        switch line.line {
        case "replica":
          guard line.format == 1 else {
            throw HistoryError(
              line: index + 1,
              line.format.map {
                """
                the export has the format \($0), but this version of the library supports only the \
                format 1; read the export with the version of the library that wrote the export
                """
              } ?? """
                the member "format" is missing; pass the unchanged lines of \
                SyncEngine.exportHistory(_:)
                """)
          }
          isStarted = true
        case "table": tables.append(try JSONDecoder().decode(Table.self, from: data))
        case "operation": operations.append(try JSONDecoder().decode(Operation.self, from: data))
        case "conflict": conflictCount += 1
        case "end":
          isComplete = line.operations == operations.count && line.conflicts == conflictCount
        // Later versions can add lines.
        default: break
        }
      } catch is DecodingError {
        throw HistoryError(
          line: index + 1,
          """
          the text is not a line of an export; pass the unchanged lines of SyncEngine.exportHistory(_:)
          """)
      }
    }
    guard isStarted, isComplete else {
      throw HistoryError(
        line: nil,
        (isStarted
          ? "the line \"end\" is missing or does not match the other lines"
          : "the line \"replica\" is missing")
          + "; export the history again with SyncEngine.exportHistory(_:)")
    }
  }
}

/// The reason why an export cannot be read or replayed.
public struct HistoryError: Error, Sendable, CustomStringConvertible {
  /// The number of the line, beginning with 1, or `nil` if the error does not concern a single
  /// line.
  public let line: Int?
  private let reason: String

  init(line: Int?, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The failure, the line and the reason.
  public var description: String {
    "cannot read the history: " + (line.map { "line \($0): " } ?? "") + reason
  }
}
