import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

extension GDBMFileReader {
  /// A record without its value.
  struct Record {
    let key: Data
    /// The element of a bucket that locates the record.
    let element: GDBMBucket.Element
    /// Whether the value may fulfil the filter of the search.
    let mayBeNeeded: Bool
  }

  /// The number of records that are buffered until the file was found unchanged.
  private static let bufferedCount = 10_000

  /// Calls `body` with each record, in the order of the buckets, until `body` returns `false`.
  ///
  /// The first records are passed on only after the buckets were found unchanged, so that reading a
  /// small file can be repeated. If a key is damaged, the other records are passed on before the
  /// error is thrown.
  ///
  /// - Parameters:
  ///   - filter: the condition for values that are needed, or `nil` if all may be needed.
  ///   - body: a closure that receives a record, and returns whether it needs more records.
  /// - Throws: ``StorageError/Code/busy`` if the file changed after records were passed on, or
  ///   during each attempt; and any error that `body` throws.
  func forEachRecord(
    matching filter: ValueFilter? = nil, _ body: (Record) throws -> Bool
  ) throws {
    var (failure, needsMore, hasBegun) = ((any Error)?.none, true, false)
    var buffer: [Record] = []
    func pass() throws -> Bool {
      hasBegun = true
      for record in buffer where needsMore { needsMore = try body(record) }
      buffer = []
      return needsMore
    }
    do throws(StorageError) {
      try repeating { () throws(StorageError) in
        if hasBegun { throw busy() }
        buffer = []
        let header = try header()
        var search: GDBMSearch?
        if let filter { search = try GDBMSearch(filter, in: self, header) }
        var (count, checksum, rest, isSearched) = (0, UInt32(0), header.fileSize, true)
        var damage: StorageError?
        do throws(StorageError) {
          try forEachBucket(of: header) { (bucket, sum) throws(StorageError) in
            (count, checksum) = (count + 1, sum)
            // A record may have moved to a place that was searched before.
            isSearched = search?.isCurrent(sum, ofFirst: count) ?? true
            guard isSearched else { return false }
            buffer += try records(of: bucket, header, search, &rest) { damage = damage ?? $0 }
            if buffer.count < (hasBegun ? 1 : Self.bufferedCount) { return true }
            do { return try pass() } catch {
              failure = error
              return false
            }
          }
          if let damage, failure == nil, needsMore, isSearched { throw damage }
        } catch {
          // The records that were passed on cannot be withdrawn.
          guard hasBegun, error.code == .corrupted else { throw error }
          failure = try hasBuckets(count, checksum, header) ? error : busy(error)
        }
        if failure != nil { return () }
        guard isSearched else { return nil }
        return try hasBuckets(count, checksum, header) ? () : nil
      }
    } catch {
      if error.code == .corrupted, !hasBegun, try !pass() { return }
      throw error
    }
    if let failure { throw failure }
    _ = try pass()
  }

  /// Returns the records of a bucket whose keys are not damaged.
  ///
  /// - Parameters:
  ///   - bucket: the bucket.
  ///   - header: the header of the file.
  ///   - search: the search that determines which values may be needed.
  ///   - rest: the number of bytes that further records can have. Without this limit, overlapping
  ///     records could fill more memory than the file has bytes.
  ///   - damage: a closure that receives the error of each damaged key.
  private func records(
    of bucket: GDBMBucket, _ header: GDBMHeader, _ search: GDBMSearch?, _ rest: inout Int,
    _ damage: (StorageError) -> Void
  ) throws(StorageError) -> [Record] {
    var records: [Record] = []
    var hashes: Set<Int> = []
    for element in bucket.elements {
      rest -= element.keySize + element.valueSize
      guard rest >= 0 else {
        throw damaged("the entries declare more bytes than the size of the file")
      }
    }
    for (element, key) in zip(bucket.elements, try keys(of: bucket, header)) {
      switch key {
      case .success(let key):
        records.append(
          Record(key: key, element: element, mayBeNeeded: search?.mayNeed(element) ?? true))
        hashes.insert(element.hash)
      case .failure(let error): damage(error)
      }
    }
    // Equal keys have the same hash.
    guard
      hashes.count == records.count
        || Set(records.map { [UInt8]($0.key) }).count == records.count
    else { throw damaged("a key occurs twice") }
    return records
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
          _ = try records(of: bucket, header, nil, &rest) { sentences.append($0.failure) }
        } catch {
          guard error.code == .corrupted else { throw error }
          sentences.append(error.failure)
        }
        return sentences.count < limit && rest >= 0
      }
      return try hasBuckets(count, checksum, header) ? () : nil
    }
    return Array(sentences.prefix(limit))
  }
}
