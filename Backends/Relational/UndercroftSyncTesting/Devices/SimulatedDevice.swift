import UndercroftFoundation
import UndercroftSQLite
import UndercroftSync

/// A device with a database file that is synchronised.
final class SimulatedDevice {
  static let account = "reader"

  let number: Int
  let shape: SimulationShape
  let skew: Int64
  let context: SimulationContext
  var file: SimulatedFile
  /// The number of the statement before which the process of the device ends, counted within one
  /// call of ``run(_:)``, or `nil` if the process does not end.
  var fuse: Int?
  /// The number of times that the process has ended.
  private(set) var crashCount = 0
  /// The versions and cursors that the device has reached, which must not decrease.
  ///
  /// The keys contain the history of the server and the generation of the replica, because a new
  /// history or generation begins with lower versions again.
  var progress: [String: Int64] = [:]

  init(
    _ number: Int, file: SimulatedFile, shape: SimulationShape, skew: Int64,
    context: SimulationContext
  ) {
    self.number = number
    self.file = file
    self.shape = shape
    self.skew = skew
    self.context = context
  }

  var database: Database { file.database }
  var schemaVersion: Int { file.schemaVersion }

  func replica(of scope: ScopeIdentifier) -> Replica {
    Replica(
      database: database, scope: scope, environment: context.environment(skew: skew),
      schemaVersion: Int64(schemaVersion))
  }

  /// Runs `body`, and interrupts it before the statement at which the simulated process ends.
  ///
  /// If calls of this function are nested, only the outer call is interrupted.
  ///
  /// - Returns: the result of `body`, or `nil` if the process has ended.
  func run<Result>(_ body: () throws -> Result) throws -> Result? {
    if file.hasExtras, schemaVersion == 2 { try adoptExtras() }
    guard let statement = fuse else { return try body() }
    let interruption = Interruption(before: statement)
    fuse = nil
    do {
      let result = try database.writeWithoutTransaction { db in
        try interruption.interrupting(db) { _ in try body() }
      }
      fuse = statement
      return result
    } catch  where interruption.isCancelled {
      crashCount += 1
      return nil
    }
  }

  /// Replaces the file of the device by a copy that was made earlier.
  func restore(_ copy: SimulatedFile) {
    file = copy
    progress = [:]
  }

  /// Adds a column to the tables, as a new version of the application does.
  func upgrade() throws {
    guard schemaVersion == 1 else { return }
    _ = try run {
      try database.write { db in
        for table in shape.tables {
          let (name, column) = (table.name, SimulatedTable.newColumn)
          try db.execute("ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: column) TEXT")
        }
        try SyncSchema.refresh(in: db, expressions: .simulated)
      }
      file.schemaVersion = 2
      file.hasExtras = true
      try adoptExtras()
    }
  }

  /// Applies values that were received before the application knew their columns.
  ///
  /// An application does this at each start.
  private func adoptExtras() throws {
    guard file.hasExtras else { return }
    for scope in shape.scopes { try replica(of: scope).adoptExtras() }
    file.hasExtras = false
  }
}
