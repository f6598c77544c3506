import UndercroftCore
import UndercroftSync

/// The conflict policy that one simulation uses for all its tables.
enum SimulationPolicy: String, CaseIterable {
  case lastWriterWinsField = "lww_field"
  case lastWriterWinsRecord = "lww_record"
  case serverWins = "server_wins"
  case clientWins = "client_wins"
  case ask = "ask"
  /// The user decides about one column of each table. In the other columns, the later change wins.
  case askColumn = "ask_column"
  case updateWins = "update_wins"

  var table: TablePolicy {
    switch self {
    case .lastWriterWinsField: TablePolicy(.lastWriterWinsField)
    case .lastWriterWinsRecord: TablePolicy(.lastWriterWinsRecord)
    // The row of the server also wins against a deletion whose author had not seen it.
    case .serverWins: TablePolicy(.serverWins, deletion: .updateWins)
    case .clientWins: TablePolicy(.clientWins)
    case .ask: TablePolicy(.ask)
    case .askColumn:
      TablePolicy(.lastWriterWinsField, columns: ["name": .ask, "title": .ask])
    case .updateWins: TablePolicy(.lastWriterWinsField, deletion: .updateWins)
    }
  }

  /// Whether a row can be inserted again after a deletion.
  var restoresRows: Bool { self != .serverWins && self != .ask }
}
