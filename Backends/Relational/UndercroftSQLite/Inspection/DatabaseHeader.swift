import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// The header of a database file, which describes a database that SQLite cannot open.
/// (the SQLite file format, section 1.3)
struct DatabaseHeader {
  private let bytes: Data

  /// Returns `nil` if the bytes do not begin with a header.
  init?(_ bytes: Data) {
    guard DatabaseSource.isDatabase(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Returns the report on the database at `url`, or `nil` if the file has no header that can be
  /// read.
  static func report(on url: URL) -> InspectionReport? {
    var status = stat()
    guard let path = try? DatabaseFile.path(of: url), DatabaseFile.isRegular(path),
      stat(path, &status) == 0, let bytes = try? DatabaseSource(path).read(at: 0, 100),
      let header = DatabaseHeader(bytes)
    else { return nil }
    let size = Int(status.st_size)
    var report = InspectionReport(
      format: "sqlite database 3", entryCount: nil, byteCount: DatabaseFile.byteCount(path),
      isConfidential: false,
      facts: header.facts(fileSize: size, hasLog: DatabaseFile.hasLog(path)))
    report.pages = header.pages(fileSize: size)
    return report
  }

  private func pages(fileSize: Int) -> InspectedPages {
    InspectedPages(
      size: pageSize, count: statedPageCount ?? fileSize / max(1, pageSize),
      freeCount: Int(number(at: 36)))
  }

  private func facts(fileSize: Int, hasLog: Bool) -> [InspectionReport.Fact] {
    let journalMode = DatabaseSource.usesLog(bytes) ? "write-ahead log" : "rollback"
    var facts = [InspectionReport.Fact("journal mode", journalMode)]
    facts += pages(fileSize: fileSize).facts
    facts += [
      .init("user version", "\(Int32(bitPattern: number(at: 60)))"),
      .init("application id", "\(Int32(bitPattern: number(at: 68)))"),
    ]
    // The pages that are missing in the file can be in the log.
    if let count = statedPageCount, !hasLog, count * pageSize > fileSize {
      let size = count * pageSize
      facts.append(
        .init("missing bytes", "\(size - fileSize) of the \(size) bytes that the header states"))
    }
    return facts
  }

  /// The page size in bytes.
  ///
  /// The number 1 means 65,536.
  private var pageSize: Int {
    let size = Int(number(at: 16) >> 16)
    return size == 1 ? 65_536 : size
  }

  /// The number of pages, or `nil` if the last writer was a version of SQLite that does not update
  /// the number. (section 1.3.7)
  private var statedPageCount: Int? {
    let count = number(at: 28)
    return count > 0 && number(at: 24) == number(at: 92) ? Int(count) : nil
  }

  private func number(at offset: Int) -> UInt32 {
    bytes.dropFirst(offset).prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
  }
}
