import ArgumentParser
import Foundation
import UndercroftMigration
import UndercroftSQLite

/// Migrations that violate a guarantee, which the kill loop must detect.
enum FlawedMigration: String, ExpressibleByArgument, CaseIterable {
  /// Records a step in a separate transaction after the transaction of the step.
  case recordsLater
  /// Commits each part of a step separately.
  case keepsHalves
  /// Writes the snapshot directly to its final path.
  case growsSnapshot
  /// Deletes a fifth of the loans in each step.
  case losesLoans

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  func migrate(_ file: URL, _ moments: Moments) throws {
    if self == .growsSnapshot { try growSnapshot(of: file, moments) }
    let database = try Database(at: file)
    let recorded = try database.fetchValue(
      "SELECT max(version) FROM undercroft_migration", as: String.self)
    for version in LibrarySteps.versions where version > recorded {
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        switch self {
        case .keepsHalves:
          for part in LibrarySteps.parts(of: version) {
            try db.transaction { db in try db.executeScript(part) }
            moments.tell("kept a part of the step to \(version)")
          }
          try db.transaction { db in try record(version, db) }
        case .recordsLater:
          try db.transaction { db in
            for part in LibrarySteps.parts(of: version) { try db.executeScript(part) }
          }
          moments.tell("kept the step to \(version)")
          try db.transaction { db in try record(version, db) }
        case .growsSnapshot, .losesLoans:
          try db.transaction { db in
            for part in LibrarySteps.parts(of: version) { try db.executeScript(part) }
            if self == .losesLoans { try db.execute("DELETE FROM loan WHERE id % 5 = 0") }
            try record(version, db)
          }
        }
      }
      moments.tell("recorded \(version)")
    }
    try database.close()
  }

  private func record(_ version: String, _ db: Connection) throws {
    try db.execute("INSERT INTO journal (line) VALUES (\(version))")
    try db.execute(
      "INSERT INTO undercroft_migration VALUES (\(Int(version) ?? 0), \(version), '', 'step', NULL)"
    )
    if version == LibrarySteps.newest {
      try db.execute("DELETE FROM undercroft_migration_run")
    } else {
      try db.execute(
        "INSERT OR REPLACE INTO undercroft_migration_run VALUES (1, '1', NULL, NULL, 0, NULL, 0)")
    }
  }

  private func growSnapshot(of file: URL, _ moments: Moments) throws {
    let bytes = try Data(contentsOf: file)
    let place = file.path() + ".version-1.snapshot"
    let copy = open(place, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    for part in 0..<4 {
      let range = bytes.count * part / 4..<bytes.count * (part + 1) / 4
      bytes[range].withUnsafeBytes { part in _ = write(copy, part.baseAddress, part.count) }
      moments.tell("a part of the snapshot")
    }
    close(copy)
  }
}
