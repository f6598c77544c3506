import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

enum Output {
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Says something that is not the answer itself.
  static func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((ValueText.safe(text) + "\n").utf8))
  }

  /// Prints rows in columns as wide as their widest cell.
  static func table(_ rows: [[String]]) {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    for row in rows {
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      print(line)
    }
  }

  /// Runs a command; an error becomes one sentence and the exit status that fits it.
  static func run(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StorageError {
      note("undercroft: \(error)")
      throw ExitCode(status(of: error.code))
    }
  }

  private static func status(of code: StorageError.Code) -> Int32 {
    switch code {
    case .corrupted, .decodingFailed, .notSupported, .tooLarge: EX_DATAERR
    case .unavailable, .invalidKey: EX_NOINPUT
    case .accessDenied, .insecurePermissions, .locked, .wrongKey: EX_NOPERM
    default: EX_IOERR
    }
  }
}
