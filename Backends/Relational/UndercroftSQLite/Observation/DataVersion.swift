import Synchronization
import UndercroftCore

/// A version that changes when another connection commits or when the files are replaced.
struct DataVersion: Equatable {
  /// The generation counter of the connection pool.
  ///
  /// Counts of commits are comparable only within one generation, because each connection starts
  /// its own count.
  var generation: Int
  var commits: Int64

  /// The version as a number, so that equal versions have equal numbers.
  var number: UInt64 {
    UInt64(truncatingIfNeeded: generation) << 32 | UInt64(UInt32(truncatingIfNeeded: commits))
  }
}

extension Database {
  /// The longest time that ``baselineVersion()`` waits for the writer if no data version has been
  /// read since the database was opened or reopened.
  private static let firstReadTimeout = Duration.milliseconds(250)
  /// The time after a read of the data version during which ``SQLiteBackend/externalChangeCount()``
  /// does not read the version again.
  private static let versionLifetime = Duration.milliseconds(3)

  /// Returns the data version with which an observer compares later versions.
  ///
  /// The result is the current version or, if another thread holds the writer, the version that was
  /// last read.
  ///
  /// An older version suffices as a baseline, because every later commit of another connection
  /// changes the version. If no version has been read since the database was opened or reopened,
  /// waits up to 250 ms for the writer. Without that wait, two observers that begin at the same
  /// time would prevent each other from reading the version. If the writer stays in use, returns
  /// `nil`, and the first comparison reports a change even if there was no change.
  func baselineVersion() -> DataVersion? {
    let version: DataVersion?
    if pool.isWritingOnCurrentThread {
      version = try? pool.withConnection(.readUsingWriter) {
        (connection) throws(StorageError) in
        dataVersion(of: connection)
      }
    } else {
      let timeout = lastVersionSinceReopening == nil ? Self.firstReadTimeout : .zero
      version = pool.tryWithWriter(waitingFor: timeout) { dataVersion(of: $0) } ?? nil
    }
    return version ?? lastVersionSinceReopening
  }

  /// The version that was last read, or `nil` if the database was reopened after that read.
  private var lastVersionSinceReopening: DataVersion? {
    let last = lastDataVersion.withLock { $0 }?.version
    return last?.generation == pool.generation.load(ordering: .relaxed) ? last : nil
  }

  /// Reads the data version on the writer, and stores it as the version that was last read.
  ///
  /// Returns `nil` if the version cannot be read.
  func dataVersion(of connection: Connection) -> DataVersion? {
    let now = ContinuousClock.now
    guard let commits = connection.externalVersion else { return nil }
    // Each connection starts its own count, so the number of times that the writer was opened is
    // added in the upper bits.
    let opened = Int64(truncatingIfNeeded: pool.writerOpenCount) << 24
    let version = DataVersion(
      generation: pool.generation.load(ordering: .relaxed), commits: commits &+ opened)
    lastDataVersion.withLock { $0 = (version, expiration: now + Self.versionLifetime) }
    return version
  }
}

extension Connection {
  /// A number that changes when another connection commits to the main database or to an attached
  /// database, or `nil` if the number cannot be read. (`PRAGMA data_version`)
  ///
  /// The number is meaningful only on the writer.
  var externalVersion: Int64? {
    guard let raw = stateIfValid?.raw else { return nil }
    let numbers = Statement.numbers("data_version", on: raw)
    if numbers.isEmpty || numbers.contains(nil) { return nil }
    return numbers.reduce(0) { $0 &+ ($1 ?? 0) }
  }
}
