import Foundation
import TestSupport
import Testing

/// Tests that a copy of the command `cp` contains every item, or that the command names the others.
@Suite struct CompleteCopyTests {
  @Test func `a note names the items that are neither files, folders nor symbolic links`() throws {
    try withHome { home, directory in
      #expect(mkfifo(home.url.appending(path: "requests").path, 0o600) == 0)
      #expect(mkfifo(home.url.appending(path: "blobs/returns").path, 0o600) == 0)

      let answer = try home.run("cp", directory.file("copy"))
      let dry = try home.run("cp", directory.file("other"), "--dry-run", "--format", "csv")

      #expect(answer.status == 0 && dry.status == 0, "\(answer.errors)\(dry.errors)")
      for errors in [answer.errors, dry.errors] {
        #expect(errors.contains("2 items of the source are not copied"), "\(errors)")
        #expect(errors.contains("\"blobs/returns\", \"requests\""), "\(errors)")
      }
      #expect(!dry.output.contains("requests"))
      #expect(!FileManager.default.fileExists(atPath: directory.file("copy/requests")))
    }
  }

  @Test(.enabled(if: OtherUser.isAvailable))
  func `a home is not copied if one of its folders cannot be searched`() throws {
    try withHome(preferenceCount: 1) { home in
      let folder = home.appending(path: "loans").path
      #expect(mkdir(folder, 0o755) == 0)
      try Data("Emma".utf8).write(to: home.appending(path: "loans/1815"))
      try Program(at: "/bin/chmod").run(["-R", "a+rX", home.deletingLastPathComponent().path])
      #expect(chmod(folder, 0o444) == 0)
      defer { chmod(folder, 0o700) }

      let answer = try Program.inspector.runInShell(
        "\(OtherUser.program) cp --dry-run \"$1\" \"$2\"", home.path, home.path + "-copy")

      #expect(answer.status == 77, "\(answer.errors)")
      #expect(answer.errors.contains(folder), "\(answer.errors)")
    }
  }

  // Other systems do not accept names that are not valid UTF-8.
  #if os(Linux)
    @Test(arguments: ["cover", "blobs/cover"], [true, false])
    func `a home is not copied if a name in it is not valid UTF-8, and the error shows the name`(
      item: String, isFolder: Bool
    ) throws {
      try withHome { home, directory in
        let path = Self.bytes(home.url.appending(path: item).path)
        let result = isFolder ? mkdir(path, 0o700) : mknod(path, S_IFREG | 0o600, 0)
        try #require(result == 0)
        defer { _ = isFolder ? rmdir(path) : unlink(path) }

        for options in [[], ["--dry-run"]] {
          let answer = try run(["cp", home.url.path, directory.file("copy")] + options)

          #expect(answer.status == 65, "\(answer.errors)")
          #expect(answer.errors.contains("\(item)\u{fffd}\""), "\(answer.errors)")
          #expect(answer.errors.contains("not valid UTF-8; rename"), "\(answer.errors)")
          #expect(try directory.names == ["home"])
        }
      }
    }

    @Test func `a symbolic link is copied with the bytes of its target`() throws {
      try withHome { home, directory in
        let link = home.url.appending(path: "cover").path
        let result = symlink(Self.bytes("covers/emma"), link)
        try #require(result == 0)

        let answer = try home.run("cp", directory.file("copy"))

        #expect(answer.status == 0, "\(answer.errors)")
        var target = [CChar](repeating: 0, count: 100)
        let count = readlink(directory.file("copy/cover"), &target, 99)
        #expect(count == 12)
        #expect(target.starts(with: Self.bytes("covers/emma")))
      }
    }

    /// Returns the bytes of a path as a C string with the byte 0xff at its end, which no text in
    /// UTF-8 contains.
    private static func bytes(_ path: String) -> [CChar] {
      path.utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xff), 0]
    }
  #endif
}
