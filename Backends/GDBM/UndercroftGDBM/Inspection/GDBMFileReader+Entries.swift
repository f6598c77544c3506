import UndercroftCore
import UndercroftFoundation

extension GDBMFileReader {
  /// The number of records that are buffered until the file was found unchanged.
  private static let bufferedCount = 10_000

  /// Calls `body` with the key of each record and the size of its value, in the order of the
  /// buckets, until `body` returns `false`.
  ///
  /// The first records are passed on only after the buckets were found unchanged, so that reading a
  /// small file can be repeated.
  ///
  /// - Throws: ``StorageError/Code/busy`` if the file changed after records were passed on, or
  ///   during each attempt; and any error that `body` throws.
  func forEachKey(_ body: (Data, Int) throws -> Bool) throws {
    var (failure, needsMore, hasBegun) = ((any Error)?.none, true, false)
    var buffer: [(Data, Int)] = []
    func pass() throws -> Bool {
      hasBegun = true
      for (key, size) in buffer where needsMore { needsMore = try body(key, size) }
      buffer = []
      return needsMore
    }
    try repeating { () throws(StorageError) in
      if hasBegun { throw busy() }
      buffer = []
      let header = try header()
      var (count, checksum, rest) = (0, UInt32(0), header.fileSize)
      do throws(StorageError) {
        try forEachBucket(of: header) { (bucket, sum) throws(StorageError) in
          (count, checksum) = (count + 1, sum)
          buffer += try keys(of: bucket, &rest)
          if buffer.count < (hasBegun ? 1 : Self.bufferedCount) { return true }
          do { return try pass() } catch {
            failure = error
            return false
          }
        }
      } catch {
        // The records that were passed on cannot be withdrawn.
        guard hasBegun, error.code == .corrupted else { throw error }
        failure = try hasBuckets(count, checksum, header) ? error : busy(error)
      }
      if failure != nil { return () }
      return try hasBuckets(count, checksum, header) ? () : nil
    }
    if let failure { throw failure }
    _ = try pass()
  }

  /// Returns the keys of the records of a bucket, and the sizes of the values.
  ///
  /// - Parameter rest: the number of bytes that further records can have. Without this limit,
  ///   overlapping records could fill more memory than the file has bytes.
  private func keys(
    of bucket: GDBMBucket, _ rest: inout Int
  ) throws(StorageError) -> [(Data, Int)] {
    var keys: [(Data, Int)] = []
    var hashes: Set<Int> = []
    for element in bucket.elements {
      rest -= element.keySize + element.valueSize
      guard rest >= 0 else {
        throw damaged("the entries declare more bytes than the size of the file")
      }
      keys.append((try key(of: element), element.valueSize))
      hashes.insert(element.hash)
    }
    // Equal keys have the same hash.
    guard hashes.count == keys.count || Set(keys.map { [UInt8]($0.0) }).count == keys.count else {
      throw damaged("a key occurs twice")
    }
    return keys
  }

  /// Reads all records, and returns a sentence about each damage, at most `limit` of them.
  func damage(limit: Int = 100) throws(StorageError) -> [String] {
    var sentences: [String] = []
    do throws(StorageError) {
      _ = try counts()
    } catch {
      guard error.code == .corrupted else { throw error }
      return [error.failure]
    }
    try repeating { () throws(StorageError) in
      sentences = []
      let header = try header()
      var (count, checksum, rest) = (0, UInt32(0), header.fileSize)
      try forEachBucket(of: header) { (bucket, sum) throws(StorageError) in
        (count, checksum) = (count + 1, sum)
        do throws(StorageError) {
          _ = try keys(of: bucket, &rest)
        } catch {
          guard error.code == .corrupted else { throw error }
          sentences.append(error.failure)
        }
        return sentences.count < limit && rest >= 0
      }
      return try hasBuckets(count, checksum, header) ? () : nil
    }
    return sentences
  }
}
