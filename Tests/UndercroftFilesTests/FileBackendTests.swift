import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftInspection
import UndercroftTesting

@Suite struct FileBackendTests {
  @Test(arguments: BackendConformance.checks)
  func `the file backend conforms to the backend contract`(to check: BackendConformance.Check)
    async throws
  {
    let harness = Harness(inspector: .files) { try FileBackend(in: $0.appending(path: "store")) }
      .breaking { directory, name in
        let store = directory.appending(path: "store")
        try? FileManager.default.removeItem(at: store.appending(path: name))
        try FileManager.default.createDirectory(
          at: store.appending(path: name), withIntermediateDirectories: true)
        return try FileBackend(in: store)
      }
    try await check.run(against: harness)
  }

  @Test(.heavy, arguments: BackendConformance.checks)
  func `the property list backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .propertyLists) {
      try BackendChoice.propertyLists(in: $0.appending(path: "searches")).open()
    }
    try await check.run(against: harness)
  }

  @Test
  func `values under hostile key names, such as paths, are stored separately in the store folder`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory.appending(path: "store"))
      let names = [
        "../escaped", "..", ".", "/etc/passwd", "a/b", "A/b", ".hidden", "a%b", "CON", "con",
        "Bücher", String(repeating: "x", count: 255), String(repeating: "Ä", count: 127), " ", "%",
        "a\nb", ".undercroft-files", ".undercroft-batch",
      ]
      for name in names { try store.apply([.set(name, Data(name.utf8))]) }

      for name in names { #expect(try store.read(name) == Data(name.utf8), "\(name)") }
      #expect(Set(try store.keys(withPrefix: "")) == Set(names))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])

      try store.apply(names.map { .remove($0) })
      #expect(try store.keys(withPrefix: "") == [])
    }
  }

  @Test func `neither reads nor writes of a store follow a symbolic link in the store's folder`()
    throws
  {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let store = try FileBackend(in: location)
      let victim = directory.appending(path: "victim")
      try Data("keep me".utf8).write(to: victim)
      try FileManager.default.createSymbolicLink(
        atPath: location.appending(path: "loan").path, withDestinationPath: victim.path)
      #expect(throws: StorageError.self) { try store.read("loan") }

      try store.apply([.set("loan", Data("mine".utf8))])
      #expect(try store.read("loan") == Data("mine".utf8))
      #expect(try Data(contentsOf: victim) == Data("keep me".utf8))

      let long = String(repeating: "x", count: 250)
      try store.apply([.set(long, Data())])
      let inner = try #require(
        try FileManager.default.contentsOfDirectory(atPath: location.path).first {
          $0.hasSuffix("%")
        })
      try FileManager.default.removeItem(at: location.appending(path: inner))
      try FileManager.default.createSymbolicLink(
        atPath: location.appending(path: inner).path, withDestinationPath: directory.path)

      #expect(throws: StorageError.self) { try store.apply([.set(long, Data("out".utf8))]) }
      #expect(throws: StorageError.self) { try store.read(long) }
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: directory.path))
          == ["store", "victim"])
    }
  }

  @Test func `reading a named pipe in place of a file throws an error without blocking`() throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let store = try FileBackend(in: location)
      #expect(mkfifo(location.appending(path: "loan").path, 0o600) == 0)
      let error = #expect(throws: StorageError.self) { try store.read("loan") }
      #expect(error?.message.contains("not a regular file") == true)
    }
  }

  @Test func `a 64 MiB value written in chunks can be read in chunks after the writer finishes`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory.appending(path: "store"))
      let writer = try store.writer(for: "film")
      for number in 0..<64 { try writer.write(Data(repeating: UInt8(number), count: 1 << 20)) }
      #expect(try store.read("film") == nil)

      try writer.finish()
      #expect(throws: StorageError.self) { try writer.write(Data(count: 1)) }

      let reader = try #require(try store.reader(for: "film"))
      #expect(reader.size == 64 << 20)

      var count = 0
      while let chunk = try reader.read(upTo: 100_000) {
        #expect(chunk.first == UInt8(count >> 20))
        count += chunk.count
      }
      #expect(count == 64 << 20)
    }
  }

  @Test func `replacing a value preserves the mode of the value's file`() throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let store = try FileBackend(in: location)
      try store.apply([.set("loan", Data())])
      let path = location.appending(path: "loan").path
      #expect(chmod(path, 0o640) == 0)

      try store.apply([.set("loan", Data("Dune".utf8)), .set("other", Data())])
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o640)
    }
  }

  @Test func `the file backend refuses to open a folder of property lists`() throws {
    try withTemporaryDirectory { directory in
      _ = try BackendChoice.propertyLists(in: directory).open()

      let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }

      #expect(error?.code == .misuse)
      #expect(StoreInspectorFactory.propertyLists.recognises(directory))
      #expect(!StoreInspectorFactory.files.recognises(directory))
    }
  }
}
