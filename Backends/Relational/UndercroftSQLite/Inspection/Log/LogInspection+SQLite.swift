import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension LogInspection {
  /// The functions for SQLite databases, which show the transactions in the write-ahead log.
  static let writeAheadLog = LogInspection(
    columns: ["pages", "pagesAfter", "tables", "checkpointed", "salts"]
  ) { url, body in
    let path = DatabaseFile.resolved(try DatabaseFile.path(of: url))
    guard let reader = try LogReader(path) else { return }
    let tables = TablesByPage(of: url)
    let checkpointedCount = LogIndex(path, of: reader.header)?.checkpointedFrameCount
    var number = 0
    try reader.forEachTransaction { transaction in
      number += 1
      return try body(
        InspectedLogRecord(
          number: number, offset: transaction.offset, byteCount: transaction.byteCount,
          change: transaction.isCommitted ? "commit" : "uncommitted",
          values: [
            .integer(Int64(transaction.pages.count)),
            transaction.isCommitted ? .integer(Int64(transaction.pageCount)) : .absent,
            tables.map { .list($0.names(of: transaction.pages).map { .text($0) }) } ?? .absent,
            checkpointedCount.map { .boolean(transaction.endFrame <= $0) } ?? .absent,
            .text(reader.header.saltDigits),
          ]))
    }
  }
}

extension LogHeader {
  /// The salts as 16 hexadecimal digits.
  fileprivate var saltDigits: String {
    let digits = String(salts, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
  }
}
