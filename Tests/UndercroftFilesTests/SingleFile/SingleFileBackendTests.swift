import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection
import UndercroftTesting

@Suite struct SingleFileBackendTests {
  @Test func `reading a single-file store throws if a link in the file's path became circular`()
    throws
  {
    try withTemporaryDirectory { directory in
      let link = directory.appending(path: "link")
      try #require(mkdir(directory.appending(path: "shelf").path, 0o700) == 0)
      try #require(symlink("shelf", link.path) == 0)
      let backend = try SingleFileBackend(at: link.appending(path: "archive"))
      #expect(try backend.read("loan") == nil)
      try #require(unlink(link.path) == 0)
      try #require(symlink("link", link.path) == 0)

      #expect(throws: StorageError.self) { try backend.read("loan") }
    }
  }

  @Test(arguments: BackendConformance.checks)
  func `the single-file backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .singleFile) {
      try SingleFileBackend(at: $0.appending(path: "archive"))
    }
    try await check.run(against: harness)
  }

  @Test(arguments: ["%PDF-1.7 a thesis of more than a few bytes, which is no store", "x", ""])
  func `opening a file of another program throws and creates no file`(text: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "thesis.pdf")
      try Data(text.utf8).write(to: url)

      let error = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }

      #expect(error?.code == .corrupted)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["thesis.pdf"])
      #expect(try Data(contentsOf: url) == Data(text.utf8))
    }
  }

  private static func sound(at url: URL) throws -> Data {
    try SingleFileBackend(at: url).apply([
      .set("loan/1", Data("Dune Dune Dune Dune Dune".utf8)), .set("loan/2", Data()),
    ])
    return try Data(contentsOf: url)
  }

  @Test(.heavy)
  func
    `opening a file that is truncated or has a flipped bit throws and leaves the file unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let sound = try Self.sound(at: url)
      var damaged = (0..<sound.count).map { Data(sound.prefix($0)) } + [sound + [0]]
      for bit in 0..<sound.count * 8 {
        var bytes = sound
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        damaged.append(bytes)
      }
      for bytes in damaged {
        try bytes.write(to: url)
        let error = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }
        #expect(error?.code == .corrupted)
        #expect(throws: StorageError.self) {
          try StoreInspectorFactory.singleFile.open(url, .init())
        }
        #expect(try Data(contentsOf: url) == bytes)
      }
    }
  }

  @Test func `a single-file store compresses repetitive values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let store = try SingleFileBackend(at: url)
      try store.apply([.set("page", Data(repeating: 7, count: 1 << 20))])

      #expect(try Data(contentsOf: url).count < 10_000)
      #expect(try SingleFileBackend(at: url).read("page") == Data(repeating: 7, count: 1 << 20))
    }
  }

  @Test func `opening a file larger than the maximum size throws an error`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      try SingleFileBackend(at: url).apply([.set("page", Data(count: 1 << 20))])
      let error = #expect(throws: StorageError.self) {
        try SingleFileBackend(at: url, maximumSize: 1_000)
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("maximumSize") == true)

      // A header that claims more bytes than its stream can hold.
      var bytes = try Data(contentsOf: url)
      bytes.replaceSubrange(16..<24, with: [0, 0, 0, 0x3f, 0, 0, 0, 0])
      let sum = Checksum.of(Array(bytes[..<36]))
      withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(36..<40, with: $0) }
      try bytes.write(to: url)
      let lie = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }
      #expect(lie?.code == .corrupted)
    }
  }

  @Test func `saving a value too large for the store throws and leaves the other values unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let store = try SingleFileBackend(at: url, maximumSize: 1_000)
      try store.apply([.set("loan", Data("Dune".utf8))])

      let error = #expect(throws: StorageError.self) {
        try store.apply([.set("page", Data(count: 2_000))])
      }

      #expect(error?.code == .tooLarge)
      #expect(try store.keys(withPrefix: "") == ["loan"])
    }
  }

  @Test func `two SingleFileBackend instances of one file read each other's writes`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let first = try SingleFileBackend(at: url)
      let second = try SingleFileBackend(at: url)
      for round in 0..<20 {
        try first.apply([.set("first", Data([UInt8(round)]))])
        #expect(try second.read("first") == Data([UInt8(round)]))
        try second.apply([.set("second", Data([UInt8(round)]))])
        #expect(try first.read("second") == Data([UInt8(round)]))
      }
    }
  }

  @Test func `opening or inspecting a single-file store of an enormous size throws an error`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      _ = try Self.sound(at: url)
      #expect(truncate(url.path, 15 << 30) == 0)
      let error = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }
      #expect(error?.code == .corrupted)
      #expect(throws: StorageError.self) { try StoreInspectorFactory.singleFile.open(url, .init()) }
    }
  }

  @Test
  func `opening a single-file store throws if bytes follow the end of its compressed entries`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      var bytes = [UInt8](try Self.sound(at: url)) + Array("hidden".utf8)
      func put(_ number: some FixedWidthInteger, at offset: Int) {
        withUnsafeBytes(of: number.littleEndian) {
          bytes.replaceSubrange(offset..<offset + $0.count, with: $0)
        }
      }
      put(UInt64(bytes.count - 40), at: 24)
      put(Checksum.of(bytes[40...]), at: 32)
      put(Checksum.of(bytes[..<36]), at: 36)
      try Data(bytes).write(to: url)

      let error = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }

      #expect(error?.code == .corrupted)
    }
  }

  @Test func `opening a path whose file status cannot be read throws an error`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      #expect(symlink("archive", url.path) == 0)
      let error = #expect(throws: StorageError.self) { try SingleFileBackend(at: url) }
      #expect(error?.code == .accessDenied)
      #expect(throws: StorageError.self) { try StoreInspectorFactory.singleFile.open(url, .init()) }
    }
  }

  @Test func `inspecting an absent file throws, while opening it creates an empty store`() throws {
    try withTemporaryDirectory { directory in
      let error = #expect(throws: StorageError.self) {
        try StoreInspectorFactory.singleFile.open(directory.appending(path: "absent"), .init())
      }
      #expect(error?.code == .unavailable)
      #expect(error?.backend == "singleFile")

      // A writer opens it as an empty store.
      let store = try SingleFileBackend(at: directory.appending(path: "absent"), maximumSize: .max)
      #expect(try store.inspect().entryCount == 0)

      try store.apply([.set("loan", Data())])
      #expect(try store.read("loan") == Data())
    }
  }

  @Test func `reading a store whose file was removed fails with the code unavailable`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let aside = directory.appending(path: "aside").path
      let store = try SingleFileBackend(at: url)
      let other = try SingleFileBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      #expect(try other.read("loan/1") == Data("Dune".utf8))
      #expect(rename(url.path, aside) == 0)

      for instance in [store, other] {
        let failures = [
          #expect(throws: StorageError.self) { try instance.read("loan/1") },
          #expect(throws: StorageError.self) { try instance.keys(withPrefix: "") },
          #expect(throws: StorageError.self) { try instance.apply([.set("loan/2", Data())]) },
        ]
        #expect(failures.map { $0?.code } == [.unavailable, .unavailable, .unavailable])
        #expect(!FileManager.default.fileExists(atPath: url.path))
      }
      let fresh = try SingleFileBackend(at: url)

      #expect(try fresh.keys(withPrefix: "") == [])

      #expect(rename(aside, url.path) == 0)
      try store.apply([.set("loan/2", Data())])

      #expect(try other.keys(withPrefix: "") == ["loan/1", "loan/2"])
      #expect(try fresh.keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test func `writing through a symbolic link preserves the link and the mode of the target file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let link = directory.appending(path: "link")
      _ = try Self.sound(at: url)
      #expect(chmod(url.path, 0o640) == 0)
      #expect(symlink("archive", link.path) == 0)

      try SingleFileBackend(at: link).apply([.set("loan/3", Data("Emma".utf8))])
      #expect(try SingleFileBackend(at: url).read("loan/3") == Data("Emma".utf8))

      var status = stat()
      #expect(lstat(url.path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o640)
      #expect(lstat(link.path, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFLNK)
    }
  }

  @Test(arguments: [false, true])
  func `a path, a link to the path and a link to that link open the same store`(isMadeByLink: Bool)
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf/archive")
      let link = directory.appending(path: "link")
      let chain = directory.appending(path: "chain")
      #expect(symlink("shelf/archive", link.path) == 0)
      #expect(symlink(link.path, chain.path) == 0)

      let stores = try (isMadeByLink ? [chain, link, url] : [url, link, chain]).map {
        try SingleFileBackend(at: $0)
      }
      for round in 0..<20 {
        for (number, store) in stores.enumerated() {
          try store.apply([.set("\(number)/\(round)", Data())])
        }
      }
      for store in stores { #expect(try store.keys(withPrefix: "").count == 60) }

      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(Set(names) == ["shelf", "link", "chain"])
    }
  }

  @Test
  func `writing a single-file store throws after the lock timeout if its lock file is locked`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      let store = try SingleFileBackend(at: url, lockTimeout: .milliseconds(50))
      let lock = try FileLock(at: url.path + ".lock")
      try lock.lock(timeout: .seconds(5))

      let error = #expect(throws: StorageError.self) { try store.apply([.set("loan", Data())]) }
      #expect(error?.code == .locked)
      #expect(try store.keys(withPrefix: "") == [])
      lock.unlock()
      try store.apply([.set("loan", Data())])
    }
  }
}
