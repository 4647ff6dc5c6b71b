//! LuaJIT by mlua. Called by `run` with `function` or `ffi`. The same work in Lua's plain way, compiled by its
//! just-in-time compiler; `function` calls closures of Rust as mlua recommends, `ffi` plain pointers to functions.

use std::cell::RefCell;
use std::ffi::c_void;

use mlua::{Function, Lua, Value};
use protocol::Host;

const CALLS: &str = r#"
    return function()
        local at = now()
        for joint = 0, 25 do set(joint, read(joint), at) end
    end"#;

const POINTERS: &str = r#"
    local ffi = require("ffi")
    local read_at, set_at, now_at = ...
    local read = ffi.cast("double (*)(uint32_t)", read_at)
    local set = ffi.cast("uint32_t (*)(uint32_t, double, uint64_t)", set_at)
    local now = ffi.cast("uint64_t (*)()", now_at)
    return function()
        local at = now()
        for joint = 0, 25 do set(joint, read(joint), at) end
    end"#;

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(Host::default());
}

extern "C" fn read(of: u32) -> f64 {
    HOST.with_borrow(|host| host.read(of))
}

extern "C" fn set(to: u32, value: f64, at: u64) -> u32 {
    HOST.with_borrow_mut(|host| host.set(to, value, at))
}

extern "C" fn now() -> u64 {
    HOST.with_borrow(|host| host.now)
}

fn main() -> mlua::Result<()> {
    // The library `ffi` is one of those that mlua calls unsafe.
    let lua = unsafe { Lua::unsafe_new() };
    let hook: Function = match std::env::args().nth(1).as_deref() {
        Some("function") => {
            let names = lua.globals();
            names.set("read", lua.create_function(|_, of: u32| Ok(read(of)))?)?;
            names.set(
                "set",
                lua.create_function(|_, (to, value, at)| Ok(set(to, value, at)))?,
            )?;
            names.set("now", lua.create_function(|_, ()| Ok(now()))?)?;
            lua.load(CALLS).eval()?
        }
        Some("ffi") => {
            let pointer =
                |item: *const ()| Value::LightUserData(mlua::LightUserData(item as *mut c_void));
            let pointers = (
                pointer(read as *const ()),
                pointer(set as *const ()),
                pointer(now as *const ()),
            );
            lua.load(POINTERS).call(pointers)?
        }
        other => panic!("function or ffi, not {other:?}"),
    };
    protocol::contest(|| {
        hook.call::<()>(()).expect("no error");
        HOST.with_borrow_mut(Host::take);
    });
    Ok(())
}
