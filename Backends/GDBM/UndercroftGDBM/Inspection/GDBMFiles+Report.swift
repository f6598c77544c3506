import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection
import UndercroftKeyValue

extension GDBMFiles {
  /// Returns the report about the store.
  func report() throws(StorageError) -> InspectionReport {
    let header = try reader.header()
    var (count, buckets) = try reader.counts()
    for (name, value) in journal?.changes ?? [:] {
      let isStored = try reader.hasValue(forKey: Data(name.text.utf8))
      if isStored, value == nil { count -= 1 }
      if !isStored, value != nil { count += 1 }
    }
    let damage = DamagedFile.facts(
      journal?.damage, of: InspectedJournal.path(ofSnapshot: reader.path))
    var report = Self.report(
      at: reader.path, hasJournal: journal != nil, header.layout, entryCount: count,
      facts: [
        .init("bucket size", "\(header.bucketSize)"), .init("buckets", "\(buckets)"),
      ] + damage)
    report.damage = journal?.damage
    return report
  }

  /// Returns the report about the GDBM file at `path`, and about the journal beside it.
  ///
  /// - Parameters:
  ///   - layout: the layout of the file, or `nil` if it is unknown.
  ///   - facts: the facts that follow the sizes of the files or the facts of the layout.
  static func report(
    at path: String, hasJournal: Bool, _ layout: GDBMLayout?, entryCount: Int?,
    facts: [InspectionReport.Fact]
  ) -> InspectionReport {
    let sizes = [path, InspectedJournal.path(ofSnapshot: path)].map { byteCount($0) }
    var first: [InspectionReport.Fact] = []
    if hasJournal {
      first = [.init("snapshot", "\(sizes[0]) bytes"), .init("journal", "\(sizes[1]) bytes")]
    } else if let layout {
      first = [
        .init("file offsets", "\(layout.offsetSize * 8) bits"),
        .init("byte order", layout.isBigEndian ? "big-endian" : "little-endian"),
      ]
    }
    let format = layout?.isExtended == true ? "gdbm file (numsync)" : "gdbm file"
    var report = InspectionReport(
      format: hasJournal ? "gdbm snapshot 1 with journal 1" : format, entryCount: entryCount,
      byteCount: sizes[0] + (hasJournal ? sizes[1] : 0), isConfidential: false,
      facts: first + facts)
    // A file without a journal belongs to another program, which may read single values.
    report.isReadAsWhole = hasJournal
    return report
  }

  private static func byteCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
