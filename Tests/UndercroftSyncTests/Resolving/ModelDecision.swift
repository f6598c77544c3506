import Foundation
import UndercroftCore
import UndercroftSync

/// A recorded decision of the protocol model about one operation.
///
/// Each line of `Fixtures/ModelDecisions.jsonl` contains a decision with all values on which it
/// depends.
///
/// In the file, numbers that can exceed 2^53 are strings. The model has one table, with the counter
/// `n`.
struct ModelDecision {
  private let members: [ExactString: JSONValue]

  static func all() throws -> [ModelDecision] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/ModelDecisions.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      ModelDecision(members: try JSONReader.read(Data(line.utf8)).members)
    }
  }

  private init(members: [ExactString: JSONValue]) { self.members = members }

  var status: String { members["status"].text }
  var version: Int64 { members["version"].number }
  var isUnchanged: Bool { members["unchanged"] == .bool(true) }
  var row: ServerRecord? { ServerRecord(members["row"]) }
  var after: ServerRecord? { ServerRecord(members["after"]) }

  /// The kinds, the lost values and the lost counter increments of the conflicts.
  var conflicts: [(kind: String, values: FieldValues, increment: Int64)] {
    members["conflicts"].elements.map { conflict in
      let lost = conflict.elements[2].members
      let values = lost.filter { $0.key != "n" && $0.key != "kind" }
      return (conflict.elements[0].text, values.mapValues(\.value), lost["n"].number)
    }
  }

  /// Returns the decision of this library about the same operation.
  func resolution() -> Resolution {
    let policy: TablePolicy =
      switch members["policy"].text {
      case "lww_record": TablePolicy(.lastWriterWinsRecord)
      case "server_wins": TablePolicy(.serverWins)
      case "client_wins": TablePolicy(.clientWins)
      case "ask": TablePolicy(.ask)
      default: TablePolicy(.lastWriterWinsField)
      }
    let resolver = OperationResolver(
      replica: ReplicaIdentifier(members["replica"].text), now: members["now"].number,
      floor: members["floor"].number, policies: ["item": policy])
    return resolver.resolve(operation, on: row, version: members["head"].number + 1)
  }

  private var operation: SyncOperation {
    let operation = members["op"]?.members ?? [:]
    let values = (operation["set"]?.members ?? [:]).mapValues(\.value)
    let increments: CounterValues = ["n": operation["inc"].number]
    let change: OperationChange =
      switch operation["kind"].text {
      case "insert":
        .insert(values, counters: ["n": operation["abs"].number], increments: increments)
      case "update": .update(values, increments: increments)
      default: .delete
      }
    return SyncOperation(
      operationIdentifier: OperationIdentifier(operation["id"].text), sequence: 1, table: "item",
      dataIdentifier: "x", change: change, timestamp: 0,
      hybridTimestamp: HybridTimestamp(clamping: operation["hlc"].number),
      knowledge: AuthorKnowledge(
        base: operation["base"].number, seen: operation["seen"].number,
        hidden: Set(operation["hidden"].elements.map { ExactString($0.text) }),
        baseCursor: operation["base_cursor"].number))
  }
}

extension ServerRecord {
  fileprivate init?(_ json: JSONValue?) {
    guard case .object(let row)? = json else { return nil }
    var fields = (row["fields"]?.members ?? [:]).mapValues(\.value)
    fields["n"] = .integer(row["fields"]?.members["n"].number ?? 0)
    let writes = (row["meta"]?.members ?? [:]).mapValues { write in
      let author = ReplicaIdentifier(write.elements[2].text)
      return FieldWrite(
        version: write.elements[0].number,
        author: ChangeAuthor(
          replica: author, hybridTimestamp: HybridTimestamp(clamping: write.elements[1].number)))
    }
    self.init(
      version: row["version"].number, isDeleted: row["deleted"].number == 1,
      hybridTimestamp: HybridTimestamp(clamping: row["hlc"].number),
      writer: ReplicaIdentifier(row["writer"].text), fields: fields, writes: writes)
  }
}

extension JSONValue {
  fileprivate var members: [ExactString: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }

  fileprivate var number: Int64 {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text) ?? 0
    default: 0
    }
  }

  fileprivate var value: SyncValue { (try? SyncValue(json: self)) ?? .null }
}

extension JSONValue? {
  fileprivate var text: String { self?.text ?? "" }
  fileprivate var number: Int64 { self?.number ?? 0 }
  fileprivate var elements: [JSONValue] { self?.elements ?? [] }
}
