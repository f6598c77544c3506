import UndercroftCore

/// The rows and conflicts of a page that answers a pull request.
///
/// The page ends with the version at which it reaches the limit of rows or bytes.
struct PageContents {
  /// The version of the scope up to which the page contains all rows and conflicts after the
  /// cursor of the request.
  private(set) var end: Int64
  private(set) var rows: [PulledRow] = []
  private(set) var conflicts: [SyncConflict] = []

  /// Reads the contents of a page.
  ///
  /// - Parameters:
  ///   - request: the request, whose limits apply in addition to those of the server.
  ///   - head: the version of the scope.
  init(
    _ request: PullRequest, _ account: String, _ limits: SyncLimits, through head: Int64,
    _ reader: any SyncServerReader
  ) throws {
    let count = max(1, min(Int(clamping: request.limit), limits.pageRows, SyncLimits.elements / 2))
    let bytes = max(1, min(Int(clamping: request.maximumBytes), limits.bytes, Self.maximumBytes))
    let limit = StoreLimit(count: count, bytes: bytes)
    let records = try reader.records(after: request.cursor, limit: limit)
    end = head
    if let last = records.last, limit.isReached(records) { end = last.version }

    let losses = try reader.conflicts(
      of: account, after: request.cursor, through: end, limit: limit)
    if let last = losses.last, limit.isReached(losses) { end = last.version }
    shorten(records, losses, bytes)

    let page = end
    rows = try records.filter { $0.version <= page }.map { try PulledRow($0) }
    conflicts = try losses.filter { $0.version <= page }.map { (stored) throws(StorageError) in
      try SyncConflict(stored)
    }
  }

  /// The number of bytes at which a page ends if neither the request nor the server has a smaller
  /// limit.
  ///
  /// A page exceeds its limit by at most the rows and conflicts of one version, so every page fits
  /// into a message.
  private static let maximumBytes = 1 << 20

  /// Ends the page with the first version at which the bodies of its rows and conflicts have a
  /// total of at least `bytes` bytes.
  private mutating func shorten(
    _ records: [StoredRecord], _ losses: [StoredConflict], _ bytes: Int
  ) {
    var sum = 0
    let sizes =
      records.map { ($0.version, $0.body.count) } + losses.map { ($0.version, $0.body.count) }
    for (version, size) in sizes.sorted(by: { $0.0 < $1.0 }) {
      sum += size
      guard sum < bytes else {
        end = min(end, version)
        return
      }
    }
  }
}

extension StoreLimit {
  fileprivate func isReached(_ records: [StoredRecord]) -> Bool {
    isReached(count: records.count, bytes: records.reduce(0) { $0 + $1.body.count })
  }

  fileprivate func isReached(_ conflicts: [StoredConflict]) -> Bool {
    isReached(count: conflicts.count, bytes: conflicts.reduce(0) { $0 + $1.body.count })
  }
}

extension PulledRow {
  fileprivate init(_ stored: StoredRecord) throws(StorageError) {
    let record = try ServerRecord(stored)
    self.init(
      table: stored.table, dataIdentifier: stored.dataIdentifier, version: stored.version,
      hybridTimestamp: record.hybridTimestamp, fields: record.isDeleted ? nil : record.fields)
  }
}
