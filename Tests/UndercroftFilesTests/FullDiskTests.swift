import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection
import UndercroftTesting

/// Tests of stores on a full or read-only disk.
@Suite struct FullDiskTests {
  /// Needs no privileges: the system limits each file of the child to a few kilobytes.
  @Test(arguments: ["files", "single-file"])
  func `a write without enough disk space throws and leaves all stored values unchanged`(
    name: String
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let series = KillSeries(seed: 7)
      let (kept, complaint) = try write(series, to: name, in: directory)
      #expect(complaint.contains("file too large"), "\(complaint)")

      let last = try #require(kept.last)
      #expect(kept == Array(0...last))

      var wanted: [String: Data] = [:]
      for number in 0...last {
        for change in series.batch(number) {
          switch change {
          case .set(let name, let bytes): wanted[name] = bytes
          case .remove(let name): wanted[name] = nil
          }
        }
      }
      let store: any StorageBackend =
        name == "files"
        ? try FileBackend(in: directory.appending(path: "files"))
        : try SingleFileBackend(at: directory.appending(path: "archive"))

      #expect(try Set(store.keys(withPrefix: "")) == Set(wanted.keys))
      for (name, bytes) in wanted { #expect(try store.read(name) == bytes) }

      let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
      #expect(!files.contains { $0.hasSuffix(".tmp") })
    }
  }

  /// Returns the numbers of the acknowledged batches, and the child's error output.
  private func write(_ series: KillSeries, to name: String, in directory: URL) throws -> (
    [Int], String
  ) {
    // The thread sanitizer maps a file of 512 KiB from the directory for temporary files, and goes
    // without the file if there is no such directory.
    let result = try Program(built: "KillWriter").run(
      [
        "write", "--store", name, "--directory", directory.path(), "--seed", "\(series.seed)",
        "--first", "0",
      ], environment: ["TMPDIR": "/dev/null"], fileBlocks: 16)
    #expect(result.status != 0)
    return (result.lines.compactMap { Int($0) }, result.errors)
  }

  static let mayMount: Bool = {
    (try? Self().withSmallDisk { _ in }) != nil
  }()

  /// Runs `body` on a small, separate file system.
  private func withSmallDisk(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "disk")
      try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
      guard mount("tmpfs", location.path, "tmpfs", 0, "size=256k") == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
      }
      defer { umount(location.path) }
      try body(location)
    }
  }

  @Test(.enabled(if: mayMount, "mounting takes more rights"))
  func `a write to a full disk throws an error and leaves the old value`() throws {
    try withSmallDisk { disk in
      let store = try FileBackend(in: disk)
      try store.apply([.set("loan", Data("Dune".utf8))])
      let error = #expect(throws: StorageError.self) {
        try store.apply([.set("loan", Data(count: 1 << 20))])
      }
      #expect(error?.code == .full)

      let batchError = #expect(throws: StorageError.self) {
        try store.apply([.set("other", Data("Emma".utf8)), .set("loan", Data(count: 1 << 20))])
      }
      #expect(batchError?.code == .full)
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try store.keys(withPrefix: "") == ["loan"])
    }
  }

  @Test(.enabled(if: mayMount, "mounting takes more rights"))
  func `a write on a nearly full disk succeeds, or fails and changes no value`() throws {
    try withSmallDisk { disk in
      let store = try FileBackend(in: disk)
      let filler = try Descriptor(
        opening: disk.appending(path: ".filler").path, O_RDWR | O_CREAT)
      while (try? filler.write(Data(count: 4096))) != nil {}
      for blocks in 0..<6 {
        if blocks > 0 {
          let size = try filler.status().st_size - 4096
          #expect(ftruncate(filler.raw, size) == 0)
        }
        for changes in [["loan"], ["loan", "reader"]] {
          let before = try store.read("loan")
          let new = Data("\(blocks) \(changes.count)".utf8)
          do {
            try store.apply(changes.map { .set($0, new) })
            for name in changes { #expect(try store.read(name) == new) }
          } catch let error as StorageError {
            #expect(error.code == .full)
            #expect(try store.read("loan") == before, "\(blocks) blocks, \(changes)")
          }
        }
      }

      #expect(try store.keys(withPrefix: "") == ["loan", "reader"])
    }
  }

  @Test(.enabled(if: mayMount, "mounting takes more rights"))
  func `sparse files can be inspected even if their total size overflows an integer`() throws {
    try withSmallDisk { disk in
      let store = try FileBackend(in: disk)
      for name in ["a", "b"] {
        try store.apply([.set(name, Data())])
        #expect(truncate(disk.appending(path: name).path, .max - 4096) == 0)
      }
      #expect(try store.inspect().byteCount == .max)

      let error = #expect(throws: StorageError.self) { try store.read("a") }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test
  func `a write to a read-only folder throws and suggests a fix; reads and inspection succeed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      try FileBackend(in: location).apply([.set("loan", Data("Dune".utf8))])
      try SingleFileBackend(at: location.appending(path: ".archive"))
        .apply([.set("loan", Data("Dune".utf8))])
      let isMounted =
        mount(location.path, location.path, nil, UInt(MS_BIND), nil) == 0
        && mount("none", location.path, nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0
      if !isMounted {
        #expect(chmod(location.path, 0o500) == 0)
        #expect(chmod(location.appending(path: ".undercroft-lock").path, 0o400) == 0)
        #expect(chmod(location.appending(path: ".archive.lock").path, 0o400) == 0)
      }
      defer {
        umount(location.path)
        chmod(location.path, 0o700)
      }
      // Without a read-only mount, no mode stops the superuser.
      if isMounted || geteuid() != 0 {
        let store = try FileBackend(in: location)
        #expect(try store.read("loan") == Data("Dune".utf8))
        let error = #expect(throws: StorageError.self) { try store.apply([.remove("loan")]) }
        #expect(error?.code == .accessDenied)
        #expect(error?.backend == "files")
        #expect(error?.message.contains(";") == true, "no suggestion: \(error?.message ?? "")")
        let file = try SingleFileBackend(at: location.appending(path: ".archive"))
        #expect(try file.read("loan") == Data("Dune".utf8))
        let single = #expect(throws: StorageError.self) { try file.apply([.remove("loan")]) }
        #expect(single?.code == .accessDenied)
      }
      // Inspecting still works.
      let files = try StoreInspectorFactory.files.open(location, .init())

      #expect(try files.bytes(of: "loan") == Data("Dune".utf8))

      let archive = try StoreInspectorFactory.singleFile.open(
        location.appending(path: ".archive"), .init())
      #expect(try archive.bytes(of: "loan") == Data("Dune".utf8))
    }
  }
}
