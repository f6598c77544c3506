import Foundation
import RawGDBM

/// A store that is read and written by calls of the GDBM C library.
final class RawGDBMStore: KeyedStore {
  private let file: GDBM_FILE
  private let names = Sample.names.map { Array($0.utf8).map(CChar.init(bitPattern:)) }

  init(at url: URL) throws {
    guard let file = gdbm_open(url.path, 0, GDBM_WRCREAT, 0o600, nil) else {
      throw BenchmarkFailure("gdbm_open failed")
    }
    self.file = file
  }

  deinit { gdbm_close(file) }

  func get(_ index: Int) throws -> Int {
    let value = names[index].withUnsafeBufferPointer { name in
      gdbm_fetch(
        file,
        datum(dptr: UnsafeMutablePointer(mutating: name.baseAddress), dsize: Int32(name.count)))
    }
    guard let bytes = value.dptr else { throw BenchmarkFailure("gdbm_fetch failed") }
    free(bytes)
    return Int(value.dsize)
  }

  func set(_ index: Int, _ value: Data) throws {
    let result = names[index].withUnsafeBufferPointer { name in
      value.withUnsafeBytes { value in
        gdbm_store(
          file,
          datum(dptr: UnsafeMutablePointer(mutating: name.baseAddress), dsize: Int32(name.count)),
          datum(
            dptr: UnsafeMutablePointer(
              mutating: value.baseAddress?.assumingMemoryBound(to: CChar.self)),
            dsize: Int32(value.count)), GDBM_REPLACE)
      }
    }
    guard result == 0 else { throw BenchmarkFailure("gdbm_store failed") }
  }

  func setBatch(_ values: [Data]) throws {
    for (index, value) in values.enumerated() { try set(index, value) }
  }
}
