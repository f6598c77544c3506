import UndercroftFoundation
import UndercroftSQLite
import UndercroftSync

/// The database file of a device, which can be copied.
struct SimulatedFile {
  let database: Database
  var schemaVersion: Int
  /// Whether the file may contain values of columns that the application did not know when the
  /// values were received.
  var hasExtras = false
  /// The leases that the file contains.
  var leases: [ScopeIdentifier: SimulatedLease] = [:]

  /// Creates a file with empty synchronised tables, for a device whose clock is ahead by `skew`
  /// milliseconds.
  init(
    _ shape: SimulationShape, schemaVersion: Int, skew: Int64, context: SimulationContext
  ) throws {
    self.schemaVersion = schemaVersion
    database = try Database.inMemory(context.options(skew: skew))
    try database.write { db in
      for definition in shape.definitions(schemaVersion: schemaVersion) {
        try db.execute(SQL(unchecked: definition))
      }
    }
    for scope in shape.scopes {
      try SyncSchema.add(
        shape.tables.filter { $0.scope == scope }.map(\.configuration), toScope: scope,
        account: SimulatedDevice.account, direction: shape.isOneWay(scope) ? .oneWay : .twoWay,
        in: database, environment: context.environment(skew: skew), expressions: .simulated)
    }
  }

  private init(_ database: Database, schemaVersion: Int) {
    self.database = database
    self.schemaVersion = schemaVersion
  }

  /// Returns a copy of the file for a device whose clock is ahead by `skew` milliseconds.
  func copy(skew: Int64, context: SimulationContext) throws -> SimulatedFile {
    let folder = URL.temporaryDirectory.appending(path: "simulation-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "library.sqlite")
    try database.backUp(to: url)
    let copy = try Database.inMemory(loadedFrom: url, context.options(skew: skew))
    var file = SimulatedFile(copy, schemaVersion: schemaVersion)
    file.hasExtras = hasExtras
    file.leases = leases
    return file
  }
}
