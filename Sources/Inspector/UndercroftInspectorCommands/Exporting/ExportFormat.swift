import ArgumentParser
import UndercroftInspection

/// A format in which a store is exported completely.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case ndjson = "ndjson"
  case json = "json"
  case csv = "csv"
  case propertyList = "plist"
  case sql = "sql"

  /// The format of the encoder for the rows.
  var output: OutputFormat {
    switch self {
    case .ndjson: .ndjson
    case .json: .json
    case .csv: .csv
    case .propertyList: .propertyList
    case .sql: .sql
    }
  }

  /// Whether the format has values of bytes; otherwise, bytes are written in Base64.
  var hasBytes: Bool { self == .propertyList || self == .sql }
}
