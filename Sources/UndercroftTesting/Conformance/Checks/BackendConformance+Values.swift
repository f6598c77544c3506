import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let values: [Check] = [
    Check("an absent key reads as nil") { trial in
      try trial.expect("absent", reads: nil as Data?)
      try trial.expectKeys("", [])
      try trial.set("book", "a")
      try trial.expect("boo", reads: nil as Data?)
      try trial.expect("books", reads: nil as Data?)
    },
    Check("a written value reads back byte for byte") { trial in
      let all = Data((0...255).map { UInt8($0) })
      for (index, value) in [all, Data(all.reversed()), Data([0]), Data("\r\n\0".utf8)].enumerated()
      {
        try trial.apply(.set("book/\(index)", value))
        try trial.expect("book/\(index)", reads: value)
      }
    },
    Check("a slice of bytes is stored as only those bytes") { trial in
      let text = Data("chapter one, chapter two".utf8)
      try trial.apply(.set("slice", text[13...]))
      try trial.expect("slice", reads: "chapter two")
    },
    Check("an empty value differs from an absent one") { trial in
      try trial.apply(.set("empty", Data()))
      try trial.expect("empty", reads: Data())
      try trial.expectKeys("", ["empty"])
    },
    Check("the last write wins, also when it is shorter") { trial in
      for text in ["first", "a second and longer one", "3", ""] {
        try trial.set("loan", text)
        try trial.expect("loan", reads: text)
      }
      try trial.expectKeys("", ["loan"])
    },
    Check("a removed key reads as nil") { trial in
      try trial.set("loan/1", "a")
      try trial.set("loan/2", "b")
      try trial.apply(.remove("loan/1"))
      try trial.expect("loan/1", reads: nil as Data?)
      try trial.expect("loan/2", reads: "b")
      try trial.expectKeys("", ["loan/2"])
      try trial.set("loan/1", "again")
      try trial.expect("loan/1", reads: "again")
    },
    Check("removing an absent key succeeds") { trial in
      try trial.apply(.remove("never there"))
      try trial.apply(.remove("never/there/either"))
      try trial.expectKeys("", [])
    },
    Check("a megabyte survives") { trial in
      var random = SeededGenerator(seed: 20)
      let noise = Data(
        (0..<131_072).flatMap { _ in withUnsafeBytes(of: random.next(), Array.init) })
      let blank = Data(count: 1_048_577)
      try trial.apply(.set("noise", noise))
      try trial.apply(.set("blank", blank))
      try trial.expect("noise", reads: noise)
      try trial.expect("blank", reads: blank)
      try trial.set("noise", "short again")
      try trial.expect("noise", reads: "short again")
    },
  ]
}
