import UndercroftInspection

/// A rule that recognises database files with many unused pages, and write-ahead logs that are not
/// copied into their databases.
struct DatabaseFileRule: AdviceRule {
  static let names = ["free-pages", "large-log"]
  /// The size in bytes from which unused pages are worth a `VACUUM`.
  private static let minimumFreeBytes = 1_000_000
  /// The size in bytes from which a write-ahead log is large.
  private static let minimumLogBytes = 64 << 20

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard store.opened.report.isTabular || store.opened.report.pages != nil else { return [] }
    return [freePages(of: store), log(of: store)].compactMap(\.self)
  }

  private func freePages(of store: AdvisedStore) -> Advice? {
    guard let pages = store.opened.report.pages, pages.freeCount > pages.count / 4 else {
      return nil
    }
    let (bytes, isOverflow) = pages.freeCount.multipliedReportingOverflow(by: pages.size)
    guard !isOverflow, bytes >= Self.minimumFreeBytes else { return nil }
    return Advice(
      rule: "free-pages", store: store.name, subject: store.discovered.path, count: pages.freeCount,
      reason: """
        \(ByteText.readable(bytes)) of the file are unused pages, which is \
        \(ByteText.share(pages.freeCount, of: pages.count)) of all pages
        """,
      fix: "VACUUM;", command: store.command(running: "VACUUM;"))
  }

  private func log(of store: AdvisedStore) -> Advice? {
    guard let log = store.files.first(where: { $0.path.hasSuffix("-wal") }),
      let file = StoreFile(String(log.path.dropLast(4))),
      log.byteCount > Self.minimumLogBytes, log.byteCount > file.byteCount / 2
    else { return nil }
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE);"
    return Advice(
      rule: "large-log", store: store.name, subject: log.path,
      reason: """
        the write-ahead log has \(ByteText.readable(log.byteCount)) and the database \
        \(ByteText.readable(file.byteCount)), so a long read or an idle transaction prevents \
        checkpoints, and each read searches the log
        """,
      fix: "end the transaction that stays open, and run: \(checkpoint)",
      command: store.command(running: checkpoint))
  }
}
