import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection
import UndercroftKeyValue

extension GDBMHeader {
  /// Returns the report on the GDBM file at `url`, which is too damaged to be opened, or `nil` if
  /// the file has no header that can be read.
  static func report(on url: URL) -> InspectionReport? {
    guard let path = try? FilePath.ofFile(at: url), let reader = try? GDBMFileReader(path),
      let status = try? reader.file.status(), let bytes = try? reader.file.read(byteCount, at: 0)
    else { return nil }
    let layouts = bytes.withUnsafeBytes { GDBMLayout.candidates(for: $0) }
    guard !layouts.isEmpty else { return nil }
    // The size of a file whose end is missing does not make the fields of its header invalid.
    let header = bytes.withUnsafeBytes { GDBMHeader($0, fileSize: .max) }
    // The first bytes of the original format permit two layouts.
    let layout = header?.layout ?? (layouts.count == 1 ? layouts[0] : nil)
    var facts = header.map { [InspectionReport.Fact("bucket size", "\($0.bucketSize)")] } ?? []
    let size = Int(status.st_size)
    if let stated = bytes.withUnsafeBytes({ layout?.end($0) }), stated > size {
      facts.append(
        .init("missing bytes", "\(stated - size) of the \(stated) bytes that the header states"))
    }
    let journal = InspectedJournal.path(ofSnapshot: path)
    return GDBMFiles.report(
      at: path, hasJournal: (try? Folder.hasEntry(at: journal)) == true, layout, entryCount: nil,
      facts: facts + DamagedFile.facts(nil, of: journal))
  }
}

extension GDBMLayout {
  /// Returns the offset of the end of the last block, which is a field of the header, or `nil` if
  /// the bytes end before it. (`next_block`)
  fileprivate func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
    offset(bytes, at: 24 + offsetSize)
  }
}
