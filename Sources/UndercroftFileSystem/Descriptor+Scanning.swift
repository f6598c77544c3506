package import UndercroftCore

/// The scanning of a range of a file with a buffer of at most 1 MiB.
extension Descriptor {
  private static let pieceSize = 1 << 20

  /// Calls `body` with successive pieces of `range` until `body` returns `false` or the file ends.
  package func forEachPiece(
    of range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    guard !range.isEmpty else { return }
    let size = min(Self.pieceSize, range.count)
    guard let start = malloc(size) else { throw .system("read", path) }
    defer { free(start) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = UnsafeMutableRawBufferPointer(
        start: start, count: min(size, range.upperBound - offset))
      let count = try read(into: piece, at: offset)
      guard count > 0, try body(UnsafeRawBufferPointer(rebasing: piece[..<count])) else { return }
      offset += count
    }
  }

  /// Adds the bytes of `range` to a checksum.
  package func add(_ range: Range<Int>, to sum: inout Checksum) throws(StorageError) {
    var added = sum
    try forEachPiece(of: range) { (piece) throws(StorageError) in
      added.update(piece)
      return true
    }
    sum = added
  }

  /// Returns whether `range` has a page of 4 KiB that contains
  /// only zeros; pages are counted from the beginning of `range`.
  package func hasBlankPage(in range: Range<Int>) throws(StorageError) -> Bool {
    let pageSize = 4_096
    var isFound = false
    try forEachPiece(of: range) { (piece) throws(StorageError) in
      for page in stride(from: 0, through: piece.count - pageSize, by: pageSize)
      where piece[page..<page + pageSize].allSatisfy({ $0 == 0 }) {
        isFound = true
        return false
      }
      return true
    }
    return isFound
  }

  /// Returns the offset after the last nonzero byte in
  /// `range`, or the beginning of `range` if there is none.
  ///
  /// Holes of sparse files are skipped if the file system reports them (`SEEK_DATA`).
  package func endOfData(in range: Range<Int>) throws(StorageError) -> Int {
    for extent in extents(in: range).reversed() {
      var end = extent.upperBound
      while end > extent.lowerBound {
        let begin = max(extent.lowerBound, end - Self.pieceSize)
        var found: Int?
        var offset = begin
        try forEachPiece(of: begin..<end) { (piece) throws(StorageError) in
          if let last = piece.lastIndex(where: { $0 != 0 }) { found = offset + last + 1 }
          offset += piece.count
          return true
        }
        if let found { return found }
        end = begin
      }
    }
    return range.lowerBound
  }

  /// Returns the parts of `range` that may contain nonzero bytes,
  /// or all of `range` if the file system does not report holes.
  private func extents(in range: Range<Int>) -> [Range<Int>] {
    var extents: [Range<Int>] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      let data = lseek(raw, off_t(offset), Platform.seekData)
      guard data >= 0 || errno == ENXIO else { return [range] }
      guard data >= 0, data < range.upperBound else { break }
      let hole = lseek(raw, data, Platform.seekHole)
      guard hole > data else { return [range] }
      let end = min(Int(hole), range.upperBound)
      extents.append(Int(data)..<end)
      offset = end
    }
    return extents
  }
}
