import CGDBM
import Foundation
import UndercroftCore

/// GDBM files of other programs.
extension SampleStoreMaker {
  func foreignGDBMFiles() throws -> [SampleStore] {
    try [
      gdbm("gdbm-foreign", flags: 0, blockSize: 512),
      gdbm("gdbm-numsync", flags: GDBM_NUMSYNC, blockSize: 1_024),
    ]
  }

  private func gdbm(_ name: String, flags: Int32, blockSize: Int32) throws -> SampleStore {
    let place = try newFolder(name)
    let path = place.appending(path: "store").path
    guard let file = gdbm_open(path, blockSize, GDBM_NEWDB | flags, 0o600, nil) else {
      throw StorageError(.io, "cannot make the sample \"\(name)\"")
    }
    for number in 1...200 {
      var (key, value) = (Array("book/\(number)".utf8), Array("Dune \(number)".utf8))
      // A key that is not text.
      if number.isMultiple(of: 2) { key.append(0xff) }
      value += Array(repeating: 1, count: number)
      try key.withUnsafeMutableBytes { key in
        try value.withUnsafeMutableBytes { value in
          let code = gdbm_store(file, Self.item(key), Self.item(value), GDBM_REPLACE)
          guard code == 0 else { throw StorageError(.io, "cannot make the sample \"\(name)\"") }
        }
      }
    }
    gdbm_close(file)
    return SampleStore(name: name, path: "store", files: try Self.files(in: place))
  }

  private static func item(_ bytes: UnsafeMutableRawBufferPointer) -> datum {
    CGDBM.datum(
      dptr: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), dsize: Int32(bytes.count))
  }
}
