import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A search for the records of a GDBM file whose values may fulfil a filter, in the bytes of the
/// whole file.
///
/// Finding a value by its key reads several blocks, which takes far longer than searching them. The
/// places of the text are therefore searched first, and compared with the places of the records.
struct GDBMSearch {
  /// The number of places of a text from which each record may contain the text.
  private static let maximumCount = 1 << 20
  /// The size of a file from which a sparse file is not searched, because it can have any size.
  private static let maximumSparseSize = 1 << 30

  private let textSize: Int
  /// The offsets of the text in ascending order, or `nil` if there are too many.
  private let texts: [Int]?
  /// The offsets of the signature of gzip data in ascending order, or `nil` if there are too many.
  private let signatures: [Int]?
  /// The checksum of the buckets up to each bucket, before the bytes were searched.
  private let checksums: [UInt32]

  /// Searches the bytes of a file.
  init(
    _ filter: ValueFilter, in reader: GDBMFileReader, _ header: GDBMHeader
  ) throws(StorageError) {
    var checksums: [UInt32] = []
    try reader.forEachBucket(of: header) { (_, sum) throws(StorageError) in
      checksums.append(sum)
      return true
    }
    self.checksums = checksums
    textSize = filter.pattern.count
    let status = try reader.file.status()
    guard
      header.fileSize < Self.maximumSparseSize
        || Int(status.st_blocks) * 512 >= header.fileSize / 2
    else {
      texts = nil
      signatures = nil
      return
    }
    texts = try Self.offsets(of: filter.pattern, in: reader)
    signatures =
      filter.includesGzipData
      ? try Self.offsets(of: BytePattern(bytes: GzipData.signature), in: reader) : []
  }

  private static func offsets(
    of pattern: BytePattern, in reader: GDBMFileReader
  ) throws(StorageError) -> [Int]? {
    var offsets: [Int] = []
    var searcher = FileSearcher(ValueFilter(pattern))
    try searcher.forEachOccurrence(in: reader.file) { offset in
      offsets.append(offset)
      return offsets.count <= maximumCount
    }
    return offsets.count <= maximumCount ? offsets : nil
  }

  /// Returns whether the first buckets of the file, which have the given checksum, are the same as
  /// before the bytes were searched.
  func isCurrent(_ checksum: UInt32, ofFirst count: Int) -> Bool {
    checksums.indices.contains(count - 1) && checksums[count - 1] == checksum
  }

  /// Returns whether the value of a record may fulfil the filter.
  func mayNeed(_ element: GDBMBucket.Element) -> Bool {
    guard let texts, let signatures else { return true }
    let start = element.offset + element.keySize
    let end = start + element.valueSize
    if let text = Self.first(in: texts, from: start), text + textSize <= end { return true }
    return Self.first(in: signatures, from: start) == start
  }

  /// Returns the first offset that is at least `start`.
  private static func first(in offsets: [Int], from start: Int) -> Int? {
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = low + (high - low) / 2
      if offsets[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < offsets.count ? offsets[low] : nil
  }
}
