import Foundation
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct FileNameTests {
  static let nasty = [
    " ", ".", "..", "...", ".hidden", "a.", "/", "//", "/etc/passwd", "../../etc/passwd", "a/../b",
    "a/",
    "~", "-rf", "%", "%%", "%2e", "%/", "con", "NUL.txt", "a\\b", "C:\\x", "a\u{0}b", "\n",
    "\u{1b}[2J", "é",
    "e\u{301}", "İ", "ß", "📚", "图书馆", "*?[]", "a b", "'", "\"", "`x`", "$(x)", "x%", "%x", "A", "a",
    ".undercroft-1.tmp", "_", "-", "lost+found", "\u{202e}txt", "\u{feff}",
  ]

  static let random: [String] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<600).map { number in
      let alphabet = Array(number % 2 == 0 ? "aA./%-_" : "aZ0.%/\\ é図📚\u{1}~*:")
      return String(
        (0...Int.random(in: 0...200, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
    }
  }()

  static let long = [
    String(repeating: "x", count: 199), String(repeating: "x", count: 200),
    String(repeating: "x", count: 201), String(repeating: "X", count: 255),
    String(repeating: ".", count: 255), String(repeating: "/", count: 255),
    String(repeating: "図", count: 85), String(repeating: "x.", count: 127),
  ]

  @Test(arguments: ["", ".plist", ".bin"])
  func `each key name maps to a unique relative path from which the name can be recovered`(
    suffix: String
  ) {
    var paths: [String: String] = [:]
    for name in Set((Self.nasty + Self.random + Self.long).map { Data($0.utf8) }) {
      let name = String(decoding: name, as: UTF8.self)
      let path = FileName.path(for: name, suffix: suffix)
      let back = FileName.name(for: path, suffix: suffix)

      #expect(back.map { Array($0.utf8) } == Array(name.utf8), "\(quoted(name)) at \(path)")
      #expect(!path.hasPrefix("/"))

      for component in path.split(separator: "/", omittingEmptySubsequences: false) {
        #expect(!component.isEmpty && !component.hasPrefix("."), "\(quoted(name)) at \(path)")
        #expect(component.utf8.count <= 255)
        #expect(component.utf8.allSatisfy { (0x21...0x7e).contains($0) })
      }
      // The paths differ even on a file system that ignores case.
      let folded = path.lowercased()

      #expect(paths.updateValue(name, forKey: folded) == nil, "\(quoted(name)) meets another")
    }
  }

  @Test
  func `the file path of one key name is never a folder in the file path of another key name`() {
    let names = (1...255).map { String(repeating: "x", count: $0) }
    let files = Set(names.map { FileName.path(for: $0, suffix: ".plist") })
    for path in files {
      var parent = Folder.parent(of: path)
      while parent != "." {
        #expect(!files.contains(parent))
        parent = Folder.parent(of: parent)
      }
    }
  }

  @Test
  func `isFolder accepts only encoded folder names; isShallow rejects paths of over 64 levels`() {
    let dotted = (190...200).map {
      String(repeating: "x", count: $0) + String(repeating: ".", count: 40)
    }
    for name in Self.nasty + Self.random + Self.long + dotted {
      let path = FileName.path(for: String(decoding: name.utf8.prefix(255), as: UTF8.self))
      #expect(FileName.isShallow(path))
      for folder in path.split(separator: "/").dropLast() {
        #expect(FileName.isFolder(String(folder)), "\(folder)")
      }
    }

    for name in ["", "%", "archive%", "loan", Self.long[1]] { #expect(!FileName.isFolder(name)) }

    let deep = FileName.path(for: String(repeating: "x", count: 200 * FileName.maximumLevels))
    #expect(FileName.isShallow(deep) && !FileName.isShallow(deep + "/x"))
  }

  @Test(arguments: [
    "Book", "a b", "%", "%2", "%zz", "%2E", "a%", "a/b", ".a", "..", "../a", "%61", "", "a//b", "é",
    "/a", "a%/b",
  ])
  func `a file path that encodes no key name is rejected`(path: String) {
    #expect(FileName.name(for: path) == nil)
    #expect(FileName.name(for: path + ".plist", suffix: ".plist") == nil)
    #expect(FileName.name(for: "book", suffix: ".plist") == nil)
  }
}
